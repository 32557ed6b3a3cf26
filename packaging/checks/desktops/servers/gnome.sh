packages='gnome-shell gjs'
picture='560x190 North'
program=gnome-shell
command='gnome-shell --headless --unsafe-mode --no-x11 --virtual-monitor 1024x768'
patience=60
services='org.gnome.Shell.Notifications org.gnome.ScreenSaver'
open='1 body' dismiss='1 close' button='1 button0'
no_expiry='it ignores timeouts'
no_history=
[ "$suite" = bookworm ] || no_token= # since version 46
no_eviction=
history_has_token=yes
quiet=kept
environment() { export XDG_CURRENT_DESKTOP=GNOME XDG_SESSION_TYPE=wayland GSETTINGS_BACKEND=keyfile; }
js() { # js CODE: runs code in GNOME Shell, and prints its result
    gdbus call --session -d org.gnome.Shell -o /org/gnome/Shell -m org.gnome.Shell.Eval "$1" |
        sed "s/^(true, '\(.*\)')$/\1/; s/^(false, .*/0/"
}
ready() {
    await 60 started || true # A busy computer takes long, and meanwhile the overview hides popups.
    js "$(cat "$desktops/servers/gnome/popups.js")" >/dev/null
    sleep 3 # until GNOME Shell has shown what it has to say about this session
    js 'Main.messageTray.getSources().forEach(source => source.destroy())' >/dev/null
    sleep 1
}
started() { [ "$(js '!Main.layoutManager._startingUp')" = true ]; }
set_quiet() { # the banners
    if [ "$1" = true ]; then banners=false; else banners=true; fi
    gsettings set org.gnome.desktop.notifications show-banners $banners
}

# Its display
start_display() { :; }
screen() { :; }
count_popups() { js 'popupTest.count()'; }
banner() { ! no_banner; }
no_banner() { [ "$(js 'popupTest.banner()')" = 0 ]; }
kept_popup() { no_banner && one_popup; }
kept_popup_appears() { :; }
after_popups() { js 'popupTest.leave()' >/dev/null; }
capture() {
    # Under the pointer, a banner is unfolded and stays.
    js "Main.messageTray._banner && popupTest.move('body')" >/dev/null
    sleep 0.7
    gdbus call --session -d org.gnome.Shell -o /org/gnome/Shell/Screenshot \
        -m org.gnome.Shell.Screenshot.Screenshot false false "$1" >/dev/null
}
press() { # press BUTTON PART
    js "popupTest.move('body')" >/dev/null
    sleep 0.7 # until the popup is unfolded
    js "popupTest.move('$2')" >/dev/null
    sleep 0.3
    js "popupTest.click($1)" >/dev/null
}
press_in_list() { # press_in_list SCREENSHOT: clicks the newest entry of the list
    js "popupTest.move('history')" >/dev/null
    screenshot "$1"
    js "popupTest.move('history')" >/dev/null
    js 'popupTest.click(1)' >/dev/null
}
press_closed() { # press_closed SCREENSHOT: the same when the banner is gone
    without_banner
    press_in_list "$1"
}
click_in_history() { press_closed history; }
click_for_portal() { press_closed portal; }

. "$desktops/servers/gnome/cells.sh"
own_cells() {
    application_cell
    lock_screen_cell
    changed_urgency_cell
    search_cell overview_search
}
