# Draws headings.svg: the angles of headings, bearings and SOFA. Run in this folder: gnuplot headings.gnuplot
set terminal svg size 760,380 dynamic font "DejaVu Sans,13" background "#ffffff"
set output "headings.svg"
set multiplot layout 1,2
unset border; unset tics; unset key
set size ratio -1
set xrange [-1.7:1.7]; set yrange [-1.6:1.6]
set parametric; set trange [0:1]

set title "Heading, bearing, course: clockwise from north" offset 0,-0.5
set object 1 circle at 0,0 size 1 fs empty border rgb "#999999"
set arrow 1 from 0,0 to 0,1.15 lw 2 lc rgb "#333333"
set arrow 2 from 0,0 to sin(40*pi/180)*1.15,cos(40*pi/180)*1.15 lw 2.5 lc rgb "#1f6feb"
set arrow 3 from 0,0 to sin(130*pi/180)*1.15,cos(130*pi/180)*1.15 lw 2.5 lc rgb "#b35900"
set label 1 "N 0°" at 0,1.32 center
set label 2 "E 90°" at 1.08,0 left
set label 3 "S 180°" at 0,-1.28 center
set label 4 "W 270°" at -1.08,0 right
set label 5 "heading 40°" at 0.82,1.02 left tc rgb "#1f6feb"
set label 6 "beacon: bearing 130°," at 0.62,-1.02 left tc rgb "#b35900"
set label 7 "relative +90° (right)" at 0.62,-1.2 left tc rgb "#b35900"
plot 0.35*sin(t*40*pi/180),0.35*cos(t*40*pi/180) lw 2 lc rgb "#1f6feb", \
     0.55*sin((40+t*90)*pi/180),0.55*cos((40+t*90)*pi/180) lw 2 lc rgb "#b35900"

set title "SOFA, aurient hrtf: counterclockwise from ahead" offset 0,-0.5
set arrow 2 from 0,0 to -sin(30*pi/180)*1.15,cos(30*pi/180)*1.15 lw 2.5 lc rgb "#1f6feb"
unset arrow 3
set label 1 "ahead 0°"
set label 2 "right 270°"
set label 3 "behind 180°"
set label 4 "left 90°"
set label 5 "azimuth 30°" at -0.78,1.05 right
unset label 6; unset label 7
plot -0.45*sin(t*30*pi/180),0.45*cos(t*30*pi/180) lw 2 lc rgb "#1f6feb"
unset multiplot
