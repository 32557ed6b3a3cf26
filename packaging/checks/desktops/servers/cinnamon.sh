absent=bookworm
picture='520x190 NorthEast'
display stage
countable=no
patience=60
open='1 800 60' dismiss='1 983 31' button='1 641 112'
no_expiry='it moves an expired popup to its list without a signal'
no_history='the list is in an applet, which does not run here'
no_eviction=
environment() { export XDG_CURRENT_DESKTOP=X-Cinnamon XDG_SESSION_TYPE=x11 LIBGL_ALWAYS_SOFTWARE=1; }
ready() { await_drawn 5; }
set_quiet() {
    if [ "$1" = true ]; then shows=false; else shows=true; fi
    gsettings set org.cinnamon.desktop.notifications display-notifications $shows
}
