# An X server with one window, in which popups are drawn.

capture() {
    sleep 1.3
    import -window root "$1"
}
count_popups() { if empty_screen; then echo 0; else echo 1; fi; }
after_popups() { sleep 2; } # The next popup appears when the last one has been hidden.
press() {                   # press BUTTON X Y: when the popup has appeared
    await 5 drawn_screen || true
    settle
    click_at "$@"
}
