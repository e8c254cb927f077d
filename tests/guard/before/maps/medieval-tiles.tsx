<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.10.2" name="medieval" tilewidth="6" tileheight="6" tilecount="6" columns="3" margin="0" spacing="0">
 <image source="medieval-tiles.png" width="18" height="12"/>
 <tile id="0" type="water" probability="500.0">
  <properties>
   <property name="pattern" value="water@l3"/>
  </properties>
 </tile>
 <tile id="1" type="water" probability="500.0">
  <properties>
   <property name="pattern" value="water@r1l3"/>
  </properties>
 </tile>
 <tile id="2" type="water" probability="500.0">
  <properties>
   <property name="pattern" value="water@r2l3"/>
  </properties>
 </tile>
 <tile id="3" type="water" probability="500.0">
  <properties>
   <property name="pattern" value="water@r3l3"/>
  </properties>
 </tile>
 <tile id="4" type="water" probability="500.0">
  <properties>
   <property name="pattern" value="water@r4l3"/>
  </properties>
 </tile>
 <tile id="5" type="water" probability="500.0">
  <properties>
   <property name="pattern" value="water@r5l3"/>
  </properties>
 </tile>
</tileset>
