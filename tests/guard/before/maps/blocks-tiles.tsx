<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.10.2" name="blocks" tilewidth="6" tileheight="6" tilecount="10" columns="4" margin="0" spacing="0">
 <image source="blocks-tiles.png" width="24" height="18"/>
 <tile id="0" type="grass" probability="6000000.0">
  <properties>
   <property name="pattern" value="grass"/>
  </properties>
 </tile>
 <tile id="1" type="bed" probability="5700000.0">
  <properties>
   <property name="pattern" value="bed"/>
  </properties>
 </tile>
 <tile id="2" type="path-line" probability="1200000.0">
  <properties>
   <property name="pattern" value="path-line"/>
  </properties>
 </tile>
 <tile id="3" type="path-line" probability="1200000.0">
  <properties>
   <property name="pattern" value="path-line@90"/>
  </properties>
 </tile>
 <tile id="4" type="path-bend" probability="180000.0">
  <properties>
   <property name="pattern" value="path-bend@90"/>
  </properties>
 </tile>
 <tile id="5" type="path-tee" probability="150000.0">
  <properties>
   <property name="pattern" value="path-tee"/>
  </properties>
 </tile>
 <tile id="6" type="path-tee" probability="150000.0">
  <properties>
   <property name="pattern" value="path-tee@180"/>
  </properties>
 </tile>
 <tile id="7" type="fir" probability="6.0">
  <properties>
   <property name="pattern" value="fir"/>
  </properties>
 </tile>
 <tile id="8" type="hedge" probability="4.0">
  <properties>
   <property name="pattern" value="hedge"/>
  </properties>
 </tile>
 <tile id="9" type="air" probability="40.0">
  <properties>
   <property name="pattern" value="air"/>
  </properties>
 </tile>
</tileset>
