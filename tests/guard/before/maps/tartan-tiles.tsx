<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.10.2" name="tartan" tilewidth="6" tileheight="6" tilecount="24" columns="5" margin="0" spacing="0">
 <image source="tartan-tiles.png" width="30" height="30"/>
 <tile id="0" type="p1" probability="12.0">
  <properties>
   <property name="pattern" value="p1"/>
  </properties>
 </tile>
 <tile id="1" type="p3" probability="12.0">
  <properties>
   <property name="pattern" value="p3"/>
  </properties>
 </tile>
 <tile id="2" type="p8" probability="8.0">
  <properties>
   <property name="pattern" value="p8"/>
  </properties>
 </tile>
 <tile id="3" type="p10" probability="8.0">
  <properties>
   <property name="pattern" value="p10"/>
  </properties>
 </tile>
 <tile id="4" type="p11" probability="2.0">
  <properties>
   <property name="pattern" value="p11"/>
  </properties>
 </tile>
 <tile id="5" type="p12" probability="2.0">
  <properties>
   <property name="pattern" value="p12"/>
  </properties>
 </tile>
 <tile id="6" type="p13" probability="2.0">
  <properties>
   <property name="pattern" value="p13"/>
  </properties>
 </tile>
 <tile id="7" type="p15" probability="2.0">
  <properties>
   <property name="pattern" value="p15"/>
  </properties>
 </tile>
 <tile id="8" type="p17" probability="20.0">
  <properties>
   <property name="pattern" value="p17"/>
  </properties>
 </tile>
 <tile id="9" type="p19" probability="16.0">
  <properties>
   <property name="pattern" value="p19"/>
  </properties>
 </tile>
 <tile id="10" type="p24" probability="12.0">
  <properties>
   <property name="pattern" value="p24"/>
  </properties>
 </tile>
 <tile id="11" type="p26" probability="12.0">
  <properties>
   <property name="pattern" value="p26"/>
  </properties>
 </tile>
 <tile id="12" type="p27" probability="2.0">
  <properties>
   <property name="pattern" value="p27"/>
  </properties>
 </tile>
 <tile id="13" type="p28" probability="2.0">
  <properties>
   <property name="pattern" value="p28"/>
  </properties>
 </tile>
 <tile id="14" type="p29" probability="2.0">
  <properties>
   <property name="pattern" value="p29"/>
  </properties>
 </tile>
 <tile id="15" type="p31" probability="2.0">
  <properties>
   <property name="pattern" value="p31"/>
  </properties>
 </tile>
 <tile id="16" type="p36" probability="2.0">
  <properties>
   <property name="pattern" value="p36"/>
  </properties>
 </tile>
 <tile id="17" type="p37" probability="2.0">
  <properties>
   <property name="pattern" value="p37"/>
  </properties>
 </tile>
 <tile id="18" type="p38" probability="2.0">
  <properties>
   <property name="pattern" value="p38"/>
  </properties>
 </tile>
 <tile id="19" type="p39" probability="2.0">
  <properties>
   <property name="pattern" value="p39"/>
  </properties>
 </tile>
 <tile id="20" type="p44" probability="4.0">
  <properties>
   <property name="pattern" value="p44"/>
  </properties>
 </tile>
 <tile id="21" type="p45" probability="4.0">
  <properties>
   <property name="pattern" value="p45"/>
  </properties>
 </tile>
 <tile id="22" type="p46" probability="4.0">
  <properties>
   <property name="pattern" value="p46"/>
  </properties>
 </tile>
 <tile id="23" type="p47" probability="4.0">
  <properties>
   <property name="pattern" value="p47"/>
  </properties>
 </tile>
</tileset>
