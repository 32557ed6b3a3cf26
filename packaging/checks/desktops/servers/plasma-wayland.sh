# Its display has one window, that of the compositor.
. "$desktops/servers/plasma.sh"
packages="$packages kwin-wayland"
absent=bookworm
variant=' on Wayland'
picture=
display stage
command='env QT_QPA_PLATFORM=wayland plasmashell --no-respawn'
open='1 760 625' single='1 760 655' dismiss='1 973 600' button='1 911 657'
prepare() {
    update_services
    # A copy has no file capabilities, which this user may not have.
    cp "$(command -v kwin_wayland)" "$work/"
    start "$pictures/$server-kwin.log" env KWIN_COMPOSE=Q "$work/kwin_wayland" --x11-display="$DISPLAY" \
        --width 1024 --height 768 --socket wayland-1 --no-lockscreen --no-global-shortcuts
    await 20 test -S "$XDG_RUNTIME_DIR/wayland-1" || return 1
    export WAYLAND_DISPLAY=wayland-1
}
own_cells() { :; }
