# What is installed in $base for all servers: the programs, so that the agent finds its icon, and what they open.

install_programs() {
    mkdir -p "$base/usr/bin" "$base/usr/share/applications" "$base/usr/share/gnome-shell/search-providers" \
        "$base/usr/share/krunner/dbusplugins"
    cp "$programs/feedbell" "$programs/feedbell-agent" "$programs/feedbell-picture" "$base/usr/bin/"
    for size in 48 128; do
        mkdir -p "$base/usr/share/icons/hicolor/${size}x$size/apps"
        cp packaging/installed/icons/org.feedbell.Agent-$size.png \
            "$base/usr/share/icons/hicolor/${size}x$size/apps/org.feedbell.Agent.png"
    done
    entries=packaging/installed/desktop/org.feedbell.Agent
    # Desktops know the application only if the program of its desktop entry is there.
    sed "s|@bindir@|$base/usr/bin|" $entries.desktop.in >"$base/usr/share/applications/org.feedbell.Agent.desktop"
    cp $entries.search-provider.ini "$base/usr/share/gnome-shell/search-providers/"
    cp $entries.krunner.desktop "$base/usr/share/krunner/dbusplugins/org.feedbell.Agent.desktop"
    # Opens links, and the terminal: each writes to a file.
    cat >"$base/usr/bin/xdg-open" <<END
#!/bin/sh
echo "\$1 \${XDG_ACTIVATION_TOKEN:-} \${DESKTOP_STARTUP_ID:-}" >>"$base/tokens"
echo "\$1" >>"$base/links"
END
    # shellcheck disable=SC2016
    printf '#!/bin/sh\necho "$*" >>"%s/terminals"\n' "$base" >"$base/usr/bin/xdg-terminal-exec"
    # The browser of the desktop portal.
    sed "s|/links|/browser|" "$base/usr/bin/xdg-open" >"$base/usr/bin/browser"
    cat >"$base/usr/share/applications/browser.desktop" <<END
[Desktop Entry]
Type=Application
Name=Browser
Exec=$base/usr/bin/browser %u
StartupNotify=true
MimeType=x-scheme-handler/https;
END
    chmod 755 "$base/usr/bin/xdg-open" "$base/usr/bin/xdg-terminal-exec" "$base/usr/bin/browser"
    PATH=$base/usr/bin:$PATH
}
opens() { await 15 grep -qxF -e "$1" "$base/links"; } # opens URL: whether a click opened it
opens_inbox() { await 15 has "$base/terminals" 'feedbell inbox --account=work$'; }
has_token() { # has_token URL: whether what opened it has the activation token that the server sent for the click
    # In XDG_ACTIVATION_TOKEN, DESKTOP_STARTUP_ID or both: Debian 12's portal passes only one of them on.
    token=$(awk -v url="$1" '$1 == url && NF > 1 { token = $NF } END { print token }' "$base/tokens")
    [ -n "$token" ] && grep -A 3 member=ActivationToken "$bus_log" | grep -qF "string \"$token\""
}
