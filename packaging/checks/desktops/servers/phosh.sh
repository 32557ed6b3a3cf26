packages=phosh
absent=bookworm
display wayland
display_packages='wayvnc grim' # Its compositor is phoc, which comes with it.
program=/usr/libexec/phosh
command="$program --unlocked"
patience=60
popups='timeout = 20' # They close after five seconds, before a busy computer has clicked them.
open='1 512 110' button='1 400 170'
no_dismissal='it is swiped away, which the pointer of this test cannot'
no_expiry='it moves an expired popup to its list without a signal'
no_history=
quiet=kept
environment() { export XDG_CURRENT_DESKTOP=Phosh:GNOME XDG_SESSION_TYPE=wayland GSETTINGS_BACKEND=keyfile; }
start_compositor() {
    printf '[output:HEADLESS-1]\nmode = 1024x768\nscale = 1\n' >"$work/phoc.ini"
    start "$work/phoc.log" env WLR_BACKENDS=headless WLR_RENDERER=pixman WLR_LIBINPUT_NO_DEVICES=1 \
        phoc -C "$work/phoc.ini"
    await 10 test -S "$XDG_RUNTIME_DIR/wayland-0"
    export WAYLAND_DISPLAY=wayland-0
}
screen() { grim -g '0,34 1024x734' -t ppm -; } # without the clock
ready() { await_drawn 5; }
set_quiet() { # the banners
    if [ "$1" = true ]; then banners=false; else banners=true; fi
    gsettings set org.gnome.desktop.notifications show-banners $banners
}
kept_popup_appears() { :; } # It is in the list.
click_in_history() {
    await 30 empty_screen || true
    press 1 512 17 # the panel
    sleep 1
    screenshot history
    press 1 512 350
}
close_history() { press 1 512 752; }
