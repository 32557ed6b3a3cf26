# sway, or another compositor, without a screen, on which nothing tells popups from other drawings.

display_packages='sway wayvnc grim'
countable=no

start_compositor() { # and sets WAYLAND_DISPLAY
    printf '%s\n' 'output HEADLESS-1 resolution 1024x768 position 0 0' 'xwayland disable' >"$work/sway.conf"
    start "$work/sway.log" env WLR_BACKENDS=headless WLR_RENDERER=pixman WLR_LIBINPUT_NO_DEVICES=1 \
        sway -c "$work/sway.conf"
    await 10 test -S "$XDG_RUNTIME_DIR/wayland-1"
    export WAYLAND_DISPLAY=wayland-1 XDG_CURRENT_DESKTOP=sway
}
start_display() {
    start_compositor
    export GDK_BACKEND=wayland
    # A pointer, which a headless seat does not have.
    start "$work/vnc.log" wayvnc --unix-socket "$work/vnc"
    await 10 test -S "$work/vnc"
}
screen() { grim -t ppm -; }
capture() { grim "$1"; }
press() { python3 "$desktops/driver/displays/pointer.py" "$work/vnc" "$@"; } # press BUTTON X Y: on the screen
