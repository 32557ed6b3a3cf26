# The desktop's search finds a notification by a word, and opens it: without the window, in a terminal.

found_title='Quarterly zebra report'
search_cell() { # search_cell COMMAND: which searches for a word, its argument, and opens what was found
    publish '{"header":"'"$found_title"'","text":"Ready for review."}' || true
    await 10 found || { cell search "FAILED: the agent does not find it"; return; }
    : >"$base/terminals"
    result=works
    "$1" zebra
    await 10 found_opened || result="FAILED: it opens nothing"
    cell search "$result"
    clear_popups
}
found() {
    dbus-send --session --print-reply --dest=org.feedbell.Search1 /org/feedbell/Search1 \
        org.gnome.Shell.SearchProvider2.GetInitialResultSet array:string:zebra | grep -q work
}
found_opened() { has "$base/terminals" '--show='; }
