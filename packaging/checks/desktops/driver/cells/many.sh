# Many notifications.

twelve_at_once() { # At the end the user sees one popup, which is that of all of them and opens the inbox.
    sleep 2.5 # until the time of earlier popups, with which they would be counted, is over
    before=$(shown)
    sandbox publish '{"header":"One of twelve","text":"x","count":12}' >/dev/null
    await 10 more "$before" shown || true
    sleep 3 # until the summary has taken the place of the first ones
    settle
    screenshot many
    if ! uncounted && ! await 5 one_popup; then
        cell many "FAILED: $(count_popups) popups are visible"
    elif [ -n "$no_click" ]; then
        cell many works
    else
        tap single
        if opens_inbox; then cell many works; else cell many "FAILED: the popup is not that of all twelve"; fi
        : >"$base/terminals"
    fi
    clear_popups
}
summary() { # A click on it opens the inbox in a terminal.
    control Pause int64:0
    await 15 has "$work/agent.log" 'popups are held back.*pause' || true
    arrived=$(logged 'arrived account')
    sandbox publish '{"header":"One of a dozen","text":"x","count":12}' >/dev/null
    await 10 more $((arrived + 11)) logged 'arrived account' || true
    before=$(shown)
    control Resume
    await 10 more "$before" shown || true
    sleep 0.7
    settle
    screenshot summary
    limited summary click || { tap single; check summary opens_inbox; }
    clear_popups
}
room_for_others() { # Popups that the server closes for them are not seen: ten, and two that are in no summary with them
    popup_setting group_above 100
    closed=$(closings)
    before=$(shown)
    seen_before=$(seen)
    sandbox publish '{"header":"Room for another","text":"x","count":10}' >/dev/null
    await 10 more $((before + 9)) shown || true
    publish '{"header":"Critical","text":"The eleventh one."}' || true
    publish '{"header":"Low","text":"The twelfth one."}' || true
    screenshot evicted
    sleep 2 # until the service would know of it
    if [ "$(seen)" != "$seen_before" ]; then
        cell evicted "FAILED: $(($(seen) - seen_before)) count as seen"
    elif more "$closed" closings; then
        cell evicted works
    else
        limited evicted eviction || cell evicted "FAILED: none was closed"
    fi
    clear_popups
    popup_setting group_above
}
closings() { # how many popups the server has closed, not the agent
    awk '/member=NotificationClosed/ { lines = 2; next } lines > 0 && --lines == 0 && $2 != 3 { count++ }
        END { print count + 0 }' "$bus_log"
}
