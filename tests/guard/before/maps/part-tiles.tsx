<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.10.2" name="pipes" tilewidth="6" tileheight="6" tilecount="21" columns="5" margin="0" spacing="0">
 <image source="part-tiles.png" width="30" height="30"/>
 <tile id="0" type="wall" probability="9.0">
  <properties>
   <property name="pattern" value="wall"/>
  </properties>
 </tile>
 <tile id="1" type="vent" probability="0.5">
  <properties>
   <property name="pattern" value="vent"/>
  </properties>
 </tile>
 <tile id="2" type="vent" probability="0.5">
  <properties>
   <property name="pattern" value="vent@90"/>
  </properties>
 </tile>
 <tile id="3" type="lamp" probability="0.22">
  <properties>
   <property name="pattern" value="lamp"/>
  </properties>
 </tile>
 <tile id="4" type="lamp" probability="0.22">
  <properties>
   <property name="pattern" value="lamp@90"/>
  </properties>
 </tile>
 <tile id="5" type="lamp" probability="0.22">
  <properties>
   <property name="pattern" value="lamp@180"/>
  </properties>
 </tile>
 <tile id="6" type="straight" probability="3.2">
  <properties>
   <property name="pattern" value="straight"/>
  </properties>
 </tile>
 <tile id="7" type="straight" probability="3.2">
  <properties>
   <property name="pattern" value="straight@90"/>
  </properties>
 </tile>
 <tile id="8" type="valve" probability="0.25">
  <properties>
   <property name="pattern" value="valve"/>
  </properties>
 </tile>
 <tile id="9" type="valve" probability="0.25">
  <properties>
   <property name="pattern" value="valve@90"/>
  </properties>
 </tile>
 <tile id="10" type="bend" probability="2.0">
  <properties>
   <property name="pattern" value="bend"/>
  </properties>
 </tile>
 <tile id="11" type="bend" probability="2.0">
  <properties>
   <property name="pattern" value="bend@90"/>
  </properties>
 </tile>
 <tile id="12" type="bend" probability="2.0">
  <properties>
   <property name="pattern" value="bend@180"/>
  </properties>
 </tile>
 <tile id="13" type="bend" probability="2.0">
  <properties>
   <property name="pattern" value="bend@270"/>
  </properties>
 </tile>
 <tile id="14" type="tee" probability="0.7">
  <properties>
   <property name="pattern" value="tee"/>
  </properties>
 </tile>
 <tile id="15" type="tee" probability="0.7">
  <properties>
   <property name="pattern" value="tee@90"/>
  </properties>
 </tile>
 <tile id="16" type="tee" probability="0.7">
  <properties>
   <property name="pattern" value="tee@180"/>
  </properties>
 </tile>
 <tile id="17" type="tee" probability="0.7">
  <properties>
   <property name="pattern" value="tee@270"/>
  </properties>
 </tile>
 <tile id="18" type="cross" probability="0.25">
  <properties>
   <property name="pattern" value="cross"/>
  </properties>
 </tile>
 <tile id="19" type="bridge" probability="1.0">
  <properties>
   <property name="pattern" value="bridge"/>
  </properties>
 </tile>
 <tile id="20" type="bridge" probability="1.0">
  <properties>
   <property name="pattern" value="bridge@90"/>
  </properties>
 </tile>
</tileset>
