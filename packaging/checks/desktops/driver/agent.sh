# The service, the agent, and what the cells want of them.

sandbox() { "$programs/feedbell-sandbox" control "$url" "$@"; }
start_service() {
    start "$work/service.log" "$programs/feedbell-sandbox" serve --service suprsend --port-file "$work/port" \
        --user anna@example.com --tenant default --tenant other
    await 10 test -s "$work/port"
    url=http://127.0.0.1:$(cat "$work/port")
    convert -size 400x300 gradient:orange-purple -fill white -draw 'circle 200,150 200,80' "$work/avatar.png"
    start "$work/pictures.log" python3 "$desktops/driver/pictures.py" "$work"
    await 10 test -s "$work/picture-port"
}
configure() {
    cat >"$work/config.toml" <<'END'
rules = [
    {title = "Expires*", timeout = 3},
    {title = "Killed agent", timeout = "never"},
    {title = "GTK", mute = true},
    {title = "Thread", replace = "title"},
    {title = "Room for another", timeout = 30},
    {title = "Critical", urgency = "critical"},
    {title = "Low", urgency = "low"},
    {title = "Build queued", urgency = "low", replace = "category"},
    {title = "Build passed", replace = "category"},
]
END
    for account in work home; do
        [ $account = work ] && tenant=default || tenant=other
        cat <<END
[accounts.$account]
provider = "suprsend"
public_key = "SS.PUBK.sandbox"
distinct_id = "anna@example.com"
tenant_id = "$tenant"
hub_url = "$url"
api_url = "$url"
socket_url = "$url"
token_command = ["$programs/feedbell-sandbox", "token", "$url", "--tenant", "$tenant"]
END
    done >>"$work/config.toml"
    printf '[popups]\nprivate_picture_hosts = ["127.0.0.1"]\n%s\n' "$popups" >>"$work/config.toml"
    chmod 600 "$work/config.toml"
}
popup_setting() { # popup_setting NAME [VALUE]: sets a setting of popups, or removes it
    sed -i "/^$1 = /d" "$work/config.toml"
    [ $# = 1 ] || sed -i "s/^\[popups\]$/&\n$1 = $2/" "$work/config.toml"
    control Reload
}
start_agent() { # starts an agent, and waits until it is connected
    touch "$work/agent.log"
    before=$(logged state=online)
    feedbell-agent --config "$work/config.toml" --log-level debug </dev/null >>"$work/agent.log" 2>&1 &
    agent=$!
    pids="$pids $agent"
    await 20 more "$before" logged state=online
}
control() { # control METHOD ARGUMENT…: calls the agent
    method=org.feedbell.Agent1.$1
    shift
    dbus-send --session --print-reply=literal --dest=org.feedbell.Agent1 /org/feedbell/Agent1 "$method" "$@" >/dev/null
}
logged() { grep -c "$1" "$work/agent.log" || true; } # logged TEXT: how many lines of the agent's log have it
shown() { logged 'popup shown'; }
seen() { grep -c '/seen 200' "$work/service.log" || true; } # how many notifications were seen
published() { sandbox publish "$1" | sed 's/.*\["\([^"]*\)".*/\1/'; } # published JSON: publishes it, prints its id
publish() { # publish JSON: publishes one notification, sets $id, and waits until the server shows it
    before=$(shown)
    id=$(published "$1")
    await 10 more "$before" shown
}
clear_popups() {
    sandbox read-all >/dev/null || true
    if uncounted; then sleep 0.5; else await 15 no_popup || true; fi
    after_popups
    sandbox clear >/dev/null || true
}
