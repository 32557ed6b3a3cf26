# Popups with text and links, and clicks on them.

offer='{"header":"Half price on keyboards & mice","text":"For **ten** more *minutes*: a < b > c, `x`",
    "subtext":{"text":"Shop"},"url":"https://shop.example.com/keyboards",
    "actions":[{"name":"Buy","url":"https://shop.example.com/buy"},{"name":"Later","url":""}]}'
first_popup() {
    publish "$offer" || { cell shown FAILED; return 1; }
    cell shown works
    screenshot rich
    limited click || { tap open; check click clicked; }
    screenshot clicked
    clear_popups
}
clicked() { opens https://shop.example.com/keyboards && await 15 has "$work/service.log" "$id/interacted 200"; }
button_with_link() { # of its own
    limited button || {
        publish "$offer" || true
        sleep 0.7
        tap button
        check button opens https://shop.example.com/buy
        clear_popups
    }
}
hostile_text() { # and a link in it
    text='if (a < b && c > d) { *p = &q; } <script>x</script> [a](javascript:alert(1)) &amp; 100 %s &#39;q&#39;<br>'
    publish '{"header":"<b>Tom & Jerry</b> \"said\" &lt;i&gt;","text":"'"$text"' [plan](https://example.com/plan)"}' ||
        true
    screenshot hostile
    limited text-link click || { tap single; check text-link opens https://example.com/plan; }
    clear_popups
}
long_text() {
    long=$(printf 'A title with many words %.0s' 1 2 3 4 5 6 7 8)
    body=$(printf 'A text with very many words that does not end. %.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
    publish "{\"header\":\"$long\",\"text\":\"$body\",\"subtext\":{\"text\":\"Shop\"}}" || true
    screenshot long
    clear_popups
}
closed_popup() { # in the server's history, or shown again
    limited history || {
        publish '{"header":"'"$history_title"'","text":"In the list.","url":"https://example.com/again"}' || true
        click_in_history
        check history opens https://example.com/again
        close_history
    }
    clear_popups
}
