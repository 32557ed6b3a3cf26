# How popups end.

calls() { grep -c "member=$1" "$bus_log" || true; } # calls MEMBER: how often it was called or sent
dismissal() {
    limited dismissal || {
        publish '{"header":"Dismiss me","text":"by the close button","url":"https://example.com/again"}' || true
        sleep 0.7
        check dismissal dismissed
    }
    clear_popups
}
dismissed() {
    for _ in 1 2 3; do # A click may be lost while a server draws.
        tap dismiss
        ! await 5 has "$work/service.log" '/seen 200' || return 0
    done
    return 1
}
expiry() { # which is no dismissal
    limited expiry || {
        closed=$(calls NotificationClosed)
        publish '{"header":"Expires soon","text":"After three seconds."}' || true
        if expired; then cell expiry works; else cell expiry "FAILED: it did not end"; fi
        ! has "$work/service.log" "$id/seen 200" || cell expiry "FAILED: it counts as seen"
    }
    clear_popups
}
expired() {
    if [ "$signals_expiry" = yes ]; then
        await 15 more "$closed" calls NotificationClosed
    else
        await 10 a_popup && await 15 no_popup
    fi
}
replacement() {
    publish '{"header":"Thread","text":"The first one."}' || true
    publish '{"header":"Thread","text":"The second one."}' || true
    sleep 0.7
    settle
    if [ "$replaces" = yes ] && ! grep -A 4 member=Notify "$bus_log" | grep -q 'uint32 [1-9]'; then
        cell replaced FAILED
    elif uncounted || await 3 one_popup; then
        cell replaced works
    else
        cell replaced "FAILED: $(count_popups) popups"
    fi
    clear_popups
}
seen_elsewhere() {
    closed=$(calls CloseNotification)
    publish '{"header":"Seen elsewhere","text":"It disappears."}' || true
    sandbox act "{\"n_id\":\"$id\",\"action\":\"seen\"}" >/dev/null
    if uncounted || [ "$closes_at_once" = no ]; then
        check withdrawn await 15 more "$closed" calls CloseNotification
    else
        check withdrawn await 15 no_popup
    fi
    clear_popups
}
killed_agent() {
    limited agent-end click || {
        publish '{"header":"Killed agent","text":"The next one opens the link.","url":"https://example.com/killed"}' ||
            true
        sleep 1 # Plasma rejects the same popup within a second.
        kill -KILL "$agent"
        await 10 not_owned org.feedbell.Agent1 || true
        before_restart=$(shown)
        start_agent || true
        [ "$agent_shows_again" = no ] || await 10 more "$before_restart" shown || true
        screenshot killed
        tap single
        check agent-end opens https://example.com/killed
    }
    clear_popups
}
ended_server() { # and another one starts
    kill "$server_pid"
    await 15 not_owned org.freedesktop.Notifications || true
    check server-end next_server
}
next_server() { start_server && publish '{"header":"A new server","text":"It shows this."}' && screenshot new-server; }
