# The pictures of senders.

pictures_of_senders() { # one that comes after the popup, then the same one from the cache
    avatar='"avatar":{"avatar_url":"http://127.0.0.1:'$(cat "$work/picture-port")'/avatar.png"}'
    requests=$(shown)
    publish '{"header":"A late picture","text":"It comes after two seconds.",'"$avatar"'}' || true
    screenshot picture-before
    limited late || check late await 15 more $((requests + 1)) shown
    await 15 has_picture || true
    screenshot picture-late
    clear_popups
    publish '{"header":"A picture","text":"It comes with the popup.",'"$avatar"'}' || true
    screenshot picture
    check picture has "$bus_log" 'string "image-(path|data)"'
    clear_popups
}
has_picture() { [ -n "$(find "$HOME/.cache/feedbell/pictures" -name "*.png")" ]; }
