packages=budgie-desktop
absent=bookworm
picture='520x190 NorthEast'
program=budgie-daemon
class=Budgie-daemon
open='1 100 40' dismiss='1 -20 20' button='1 148 -29'
no_history='the list is in the panel, which does not run here'
no_eviction='it keeps three popups, and the agent shows no more'
replaces=no # It shows no popup that replaces one of three: the agent closes the first one instead.
critical_passes_quiet=yes
is_quiet=false
environment() { export XDG_CURRENT_DESKTOP=Budgie:GNOME XDG_SESSION_TYPE=x11; }
set_quiet() {
    [ "$1" = $is_quiet ] || gdbus call --session -d org.budgie_desktop.Notifications \
        -o /org/budgie_desktop/Notifications -m org.buddiesofbudgie.budgie.Dispatcher.ToggleDoNotDisturb >/dev/null
    is_quiet=$1
}
