packages='xfce4-notifyd xfconf'
picture='520x160 NorthEast'
program=/usr/lib/x86_64-linux-gnu/xfce4/notifyd/xfce4-notifyd
services=org.xfce.Xfconf
class=Xfce4-notifyd
open='1 56 -22' single='1 -50 -26' dismiss='1 60 20' button='1 182 -31'
no_late=
set_quiet() { xfconf-query -c xfce4-notifyd -p /do-not-disturb -n -t bool -s "$1"; }
