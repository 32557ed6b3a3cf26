picture='520x150 NorthEast'
class=Dunst
open='2 60 20' dismiss='1 60 20'
no_button='its buttons are entries of a menu of another program'
no_late=
no_history='what it shows again cannot be clicked any more'
agent_shows_again=yes
set_quiet() { dunstctl set-paused "$1"; }
