# What is to be seen, with the functions of the display.

drawing() { screen | cksum; }
empty_screen() { [ "$(drawing)" = "$empty" ]; }
drawn_screen() { ! empty_screen; }
settle() { # waits until nothing moves any more
    before_settling=
    for _ in $(seq 20); do
        now_drawn=$(drawing)
        [ "$now_drawn" != "$before_settling" ] || return 0
        before_settling=$now_drawn
        sleep 0.3
    done
}
await_drawn() { # await_drawn SECONDS: waits until the start of a desktop has ended, and keeps what it shows
    sleep "$1"
    settle
    empty=$(drawing)
}
screenshot() { # screenshot NAME
    sleep 0.7 # until the popup's animation has ended
    capture "$pictures/$server-$1.png"
}
no_popup() { [ "$(count_popups)" = 0 ]; }
a_popup() { [ "$(count_popups)" != 0 ]; }
one_popup() { [ "$(count_popups)" = 1 ]; }
uncounted() { [ "$countable" = no ]; }
tap() { eval "press \$$1"; } # tap open|single|dismiss|button: clicks there
