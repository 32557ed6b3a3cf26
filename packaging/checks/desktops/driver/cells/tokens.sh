# The tokens of clicks, with which the browser may take the focus.

tokens() { # of the clicks on the first popup and on the list
    if limited token; then
        return
    elif ! has_token https://shop.example.com/keyboards; then
        cell token FAILED
    elif [ "$history_has_token" = yes ] && ! has_token https://example.com/again; then
        cell token "FAILED: none from the list"
    else
        cell token works
    fi
}
token_by_portal() { # the desktop portal, which starts the browser
    ! limited portal token || return 0
    start "$pictures/$server-portal.log" /usr/libexec/xdg-desktop-portal
    portal=${pids##* }
    await 20 owned org.freedesktop.portal.Desktop || true
    publish '{"header":"By the portal","text":"x","url":"https://example.com/portal"}' || true
    click_for_portal
    if ! await 15 has "$base/browser" '^https://example.com/portal$'; then
        cell portal FAILED
    elif has_token https://example.com/portal; then
        cell portal works
    else
        cell portal "FAILED: no token"
    fi
    kill "$portal"
    await 10 not_owned org.freedesktop.portal.Desktop || true
    clear_popups
}
