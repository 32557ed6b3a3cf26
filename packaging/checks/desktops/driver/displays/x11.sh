# An X server, on which each popup is a window.

display_packages='xvfb xdotool'
countable=yes # whether it is known how many popups are visible

start_display() {
    Xvfb -displayfd 3 -screen 0 1024x768x24 -nolisten tcp 3>"$work/display" 2>/dev/null &
    pids="$pids $!"
    await 10 has "$work/display" '^[0-9]+$'
    DISPLAY=:$(cat "$work/display")
    export DISPLAY QT_QPA_PLATFORM=xcb GDK_BACKEND=x11
}
screen() { import -window root -crop 1024x710+0+0 ppm:-; } # what is on it, without the clock of a panel
capture() { import -window root "$1"; }                     # capture FILE
popup_windows() { xdotool search --onlyvisible --class "$class" 2>/dev/null; } # the newest last
count_popups() { popup_windows | grep -c . || true; }
after_popups() { :; } # waits until it can show others
press() {             # press BUTTON X Y: in the newest popup; a negative coordinate counts from the other end
    eval "$(xdotool getwindowgeometry --shell "$(popup_windows | tail -n 1)")"
    # shellcheck disable=SC2153
    { x=$2; y=$3; [ "$x" -ge 0 ] || x=$((WIDTH + x)); [ "$y" -ge 0 ] || y=$((HEIGHT + y)); }
    click_at "$1" $((X + x)) $((Y + y))
}
click_at() { # click_at BUTTON X Y: on the screen, and leaves, because a popup below the pointer may stay
    xdotool mousemove $(($2 - 3)) $(($3 - 3)) sleep 0.1 mousemove "$2" "$3" sleep 0.3 click "$1" sleep 0.3 \
        mousemove 5 5
}
