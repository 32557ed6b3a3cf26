packages=sway-notification-center
picture='520x160 NorthEast'
display wayland
open='1 850 60' dismiss='3 850 60' button='1 654 114'
no_expiry='it moves an expired popup to its list without a signal'
no_history=
[ "$suite" = bookworm ] || no_token= # since 0.11
set_quiet() { if [ "$1" = true ]; then swaync-client --dnd-on; else swaync-client --dnd-off; fi >/dev/null; }
click_in_history() {
    swaync-client -op >/dev/null
    screenshot history
    press 1 850 120
}
close_history() { swaync-client -cp >/dev/null; }
