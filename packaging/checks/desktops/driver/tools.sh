# Programs in the background, waiting, and what a bus knows.

pids=
start() { # start LOG COMMAND…: starts a program in the background
    log=$1
    shift
    "$@" </dev/null >"$log" 2>&1 3>&- 4>&- 9>&- &
    pids="$pids $!"
}
stop() { # ends what was started
    # shellcheck disable=SC2086
    [ -z "$pids" ] || kill $pids 2>/dev/null || true
    wait 2>/dev/null || true
    pids=
}
await() { # await SECONDS COMMAND…: waits until the command succeeds
    rounds=$(($1 * 10))
    shift
    while ! "$@" >/dev/null 2>&1; do
        rounds=$((rounds - 1))
        [ $rounds -gt 0 ] || return 1
        sleep 0.1
    done
}
has() { grep -qE -e "$2" "$1"; } # has FILE TEXT
more() { # more NUMBER COMMAND…: whether the command prints a higher number
    than=$1
    shift
    [ "$("$@")" -gt "$than" ]
}
owned() { # owned NAME: whether the bus name has an owner
    dbus-send --session --print-reply=literal --dest=org.freedesktop.DBus / \
        org.freedesktop.DBus.NameHasOwner "string:$1" | grep -q 'boolean true'
}
not_owned() { ! owned "$1"; }
