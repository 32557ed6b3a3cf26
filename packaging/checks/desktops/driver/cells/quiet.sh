# Do-not-disturb.

do_not_disturb() {
    limited quiet || "popup_$quiet"
    clear_popups
}
popup_kept() { # by the server, whose state is unknown: the popup is sent at once
    empty=$(drawing)
    set_quiet true || true
    publish '{"header":"After do-not-disturb","text":"It comes later."}' || true
    screenshot quiet
    result=works
    kept_popup || result="FAILED: a popup meanwhile"
    set_quiet false || true
    kept_popup_appears || result="FAILED: no popup afterwards"
    screenshot quiet-ended
    cell quiet "$result"
}
popup_held() { # back by the agent
    be_quiet
    before=$(shown)
    sandbox publish '{"header":"After do-not-disturb","text":"It comes later."}' >/dev/null
    sleep 1
    result=works
    { uncounted || no_popup; } && [ "$(shown)" = "$before" ] || result="FAILED: a popup meanwhile"
    set_quiet false || true
    [ "$result" != works ] || shown_afterwards || result="FAILED: no popup afterwards"
    screenshot quiet
    [ "$critical_passes_quiet" = no ] || critical_passes || result="FAILED: no critical popup"
    cell quiet "$result"
}
be_quiet() {
    set_quiet true || true
    await 15 has "$work/agent.log" 'popups are held back.*do-not-disturb' || true
}
shown_afterwards() { await 15 more "$before" shown && { uncounted || await 15 a_popup; }; }
critical_passes() {
    clear_popups
    be_quiet
    publish '{"header":"Critical","text":"It does not wait."}' || true
    result_of_critical=0
    await 5 a_popup || result_of_critical=1
    screenshot quiet-critical
    set_quiet false || true
    return $result_of_critical
}
