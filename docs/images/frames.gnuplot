# Draws frames.svg: the axes of world, OpenAL, head and phone. Run in this folder: gnuplot frames.gnuplot
set terminal svg size 800,230 dynamic font "DejaVu Sans,13" background "#ffffff"
set output "frames.svg"
unset border; unset tics; unset key
set margins 0,0,0,0
set size ratio -1
set xrange [-1.5:10.6]; set yrange [-1.1:2.2]
across = "#b35900"; upwards = "#1f6feb"; along = "#2a7d2a"
do for [i=0:3] {
  x = i * 3.1
  # Upwards; across to the right, or left; along away from the viewer, or near.
  side = i == 2 ? -1 : 1
  depth = i == 0 || i == 2 ? 1 : -1
  set arrow from x,0 to x,1 lw 2.5 lc rgb upwards
  set arrow from x,0 to x+side,0 lw 2.5 lc rgb across
  set arrow from x,0 to x+depth*0.6,depth*0.5 lw 2.5 lc rgb along
}
set label "World: east, north, up" at 0.2,1.95 center
set label "z up" at -0.1,1.25 center tc rgb upwards
set label "x east" at 1.05,-0.25 center tc rgb across
set label "y north" at 0.68,0.6 left tc rgb along
set label "OpenAL" at 3.2,1.95 center
set label "y up" at 3.1,1.25 center tc rgb upwards
set label "x east" at 4.15,-0.25 center tc rgb across
set label "z south" at 2.5,-0.75 center tc rgb along
set label "SOFA: the head" at 6.3,1.95 center
set label "z up" at 6.1,1.25 center tc rgb upwards
set label "y left" at 5.2,-0.25 center tc rgb across
set label "x ahead" at 6.88,0.6 left tc rgb along
set label "Phone, its screen" at 9.3,1.95 center
set label "y top edge" at 9.3,1.25 center tc rgb upwards
set label "x right" at 10.2,-0.25 center tc rgb across
set label "z out of the screen" at 8.9,-0.75 center tc rgb along
plot NaN
