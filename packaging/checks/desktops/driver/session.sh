# A session: a home directory and buses of its own, in $work.

new_home() {
    mkdir -p "$work/home/.config" "$work/run"
    chmod 700 "$work" "$work/run"
    for variable in $(env | sed -nE 's/^((XDG|KDE|QT|GDK|GSETTINGS|LIBGL|WAYLAND)_[A-Z_]*|DISPLAY)=.*/\1/p'); do
        unset "$variable"
    done
    export HOME="$work/home" XDG_RUNTIME_DIR="$work/run" XDG_CONFIG_HOME="$work/home/.config" NO_AT_BRIDGE=1
    export XDG_DATA_DIRS="$base/usr/share:/usr/local/share:/usr/share"
    for file in links browser tokens terminals; do : >"$base/$file"; done
}
start_buses() { # start_buses SERVICE…: that of the system, and that of the session, which can start these services
    start_bus system
    start_bus session ca.desrt.dconf "$@"
    DBUS_SYSTEM_BUS_ADDRESS=$(cat "$work/system")
    DBUS_SESSION_BUS_ADDRESS=$(cat "$work/session")
    export DBUS_SYSTEM_BUS_ADDRESS DBUS_SESSION_BUS_ADDRESS
}
start_bus() { # start_bus NAME SERVICE…: and prints its address to $work/NAME
    bus=$work/$1
    shift
    mkdir -p "$bus.services"
    for name; do
        cp "/usr/share/dbus-1/services/$name.service" "$bus.services/" 2>/dev/null || true
    done
    cat >"$bus.conf" <<END
<busconfig><type>session</type><listen>unix:dir=$work</listen><auth>EXTERNAL</auth>
<servicedir>$bus.services</servicedir>
<policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
</policy></busconfig>
END
    dbus-daemon --nofork --config-file="$bus.conf" --print-address=3 3>"$bus" 2>"$bus.log" &
    pids="$pids $!"
    await 10 test -s "$bus"
}
