kde=6 bell='820 740'
[ "$suite" != bookworm ] || kde=5 bell='777 746'
packages='plasma-workspace plasma-desktop kwin-x11'
[ $kde = 5 ] || packages="$packages kded6 libkf6config-bin libkf6service-bin"
picture='520x220 SouthEast'
program=plasmashell
command='plasmashell --no-respawn'
patience=60
services="org.kde.ActivityManager org.kde.kded$kde org.kde.kglobalaccel"
popups='timeout = 20' # They close after five seconds, before a busy computer has clicked them.
open='1 100 60' dismiss='1 -15 15' button='1 -77 -19'
no_history=
no_token=
history_title='Expires, too'
signals_expiry=no
case $suite in forky | sid) agent_shows_again=yes ;; esac
environment() {
    export XDG_CURRENT_DESKTOP=KDE XDG_MENU_PREFIX=plasma- QT_QUICK_BACKEND=software
    export KDE_FULL_SESSION=true KDE_SESSION_VERSION=$kde
}
prepare() {
    update_services
    start "$work/kwin.log" kwin_x11
}
# Since version 6 the list of old popups has only programs that are in the database of services.
update_services() { [ $kde = 5 ] || kbuildsycoca6 >"$work/sycoca.log" 2>&1 || true; }
ready() { await_drawn 8; }
popup_windows() { # without those of the desktop and of the panel
    for window in $(xdotool search --onlyvisible --class plasmashell 2>/dev/null); do
        eval "$(xdotool getwindowgeometry --shell "$window" 2>/dev/null)"
        if [ "$WIDTH" -gt 200 ] && [ "$WIDTH" -lt 420 ] && [ "$HEIGHT" -gt 40 ]; then echo "$window"; fi
    done
}
set_quiet() { # as the applet does it, until now
    until=2000,1,1,0,0,0
    [ "$1" = false ] || until=2099,1,1,0,0,0
    kwriteconfig$kde --file plasmanotifyrc --group DoNotDisturb --key Until "$until"
    gdbus emit --session --object-path /plasmanotifyrc --signal org.kde.kconfig.notify.ConfigChanged \
        "{'DoNotDisturb': [[byte 0x55, 0x6e, 0x74, 0x69, 0x6c]]}" # "Until"
}
click_in_history() {
    await 10 a_popup || true
    await 15 no_popup || true
    eval "xdotool mousemove $bell sleep 0.3 click 1" # in the panel
    sleep 2
    screenshot history
    xdotool mousemove 990 440 sleep 0.3 click 1
}
close_history() { xdotool key Escape; }
own_cells() { search_cell krunner_search; }
krunner_search() {
    start "$work/krunner.log" krunner
    await 20 owned org.kde.krunner || true
    dbus-send --session --print-reply --dest=org.kde.krunner /App org.kde.krunner.App.query "string:$1" \
        >/dev/null || true
    sleep 3
    screenshot search
    xdotool key Return
}
