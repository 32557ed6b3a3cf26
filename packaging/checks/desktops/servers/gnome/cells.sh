# What only GNOME Shell has: popups of applications, a lock screen, and a search in its overview.

# A popup that it keeps for an application whatever happens to the sender
application_cell() {
    id=$(published '{"header":"GTK","text":"x","url":"https://example.com/gtk"}')
    gdbus call --session -d org.gtk.Notifications -o /org/gtk/Notifications \
        -m org.gtk.Notifications.AddNotification org.feedbell.Agent "$id" "{'title': <'Of the application'>,
        'default-action': <'app.open'>, 'default-action-target': <'$id'>}" >/dev/null || true
    sleep 6 # until the banners are gone
    press_in_list gtk
    check gtk opens https://example.com/gtk
    clear_popups
}

# The lock screen, which it has only under GDM. It shows the texts of a program if the user has allowed that in the
# settings, and then the agent hides them if its configuration says so.
lock_screen_cell() {
    js "$(case $suite in
        bookworm) echo 'globalThis.lockTest = {shield: new imports.ui.screenShield.ScreenShield()};
            lockTest.bus = new imports.ui.shellDBus.ScreenSaverDBus(lockTest.shield); 1' ;;
        *) echo 'const part = name => import(`resource:///org/gnome/shell/ui/${name}.js`);
            globalThis.lockTest = {};
            part("screenShield").then(module => { lockTest.shield = new module.ScreenShield();
                return part("shellDBus"); })
                .then(module => { lockTest.bus = new module.ScreenSaverDBus(lockTest.shield); }); 1' ;;
        esac)" >/dev/null
    await 10 owned org.gnome.Shell.ScreenShield || true
    locked || true # starts the service of the name org.gnome.ScreenSaver
    result=works
    path=/org/gnome/desktop/notifications/application/org-feedbell-agent/
    for locked in no-details show hide-text; do # The texts of none, of all, and of none because of the agent.
        popup_setting locked
        [ $locked = no-details ] || {
            gsettings set "org.gnome.desktop.notifications.application:$path" details-in-lock-screen true
            popup_setting locked "\"$locked\""
        }
        js 'lockTest.shield.lock(false); 1' >/dev/null
        await 10 locked || true
        sleep 1 # until the agent knows it
        publish '{"header":"A secret title","text":"a secret text","url":"https://example.com/unlocked"}' || true
        screenshot "locked-$locked"
        texts=$(js 'popupTest.texts(lockTest.shield._dialog).join(" | ")')
        case $locked:$texts in
        *-*:*secret*) result="FAILED: $locked: $texts" ;;
        show:*"A secret title"*"a secret text"* | *-*:*Feedbell*) ;;
        *) result="FAILED: $locked: $texts" ;;
        esac
        js 'lockTest.shield.deactivate(false); 1' >/dev/null
        # Unlocked, the list shows what was hidden. GNOME Shell shows a banner of what came meanwhile.
        if [ $locked = hide-text ]; then
            without_banner
            await 10 listed 'A secret title' || result="FAILED: the list does not show the text"
            press_in_list unlocked
            opens https://example.com/unlocked || result="FAILED: a click in the list opens nothing"
        fi
        clear_popups
    done
    popup_setting locked
    cell locked "$result"
}
locked() {
    dbus-send --session --print-reply=literal --dest=org.gnome.ScreenSaver /org/gnome/ScreenSaver \
        org.gnome.ScreenSaver.GetActive | grep -q 'boolean true'
}
listed() { js "popupTest.shows('$1')" | grep -q true; } # listed TITLE: whether the list shows it
without_banner() { # GNOME 48 loses entries of the list only when their banners are gone
    js 'popupTest.leave()' >/dev/null
    await 15 no_banner || true
}

# A notification that takes the place of one of another urgency
changed_urgency_cell() {
    result=works
    for titles in 'queued passed' 'passed queued'; do
        for title in $titles; do
            publish "{\"header\":\"Build $title\",\"text\":\"x\",\"url\":\"https://example.com/$title\"}" || true
        done
        if [ "$title" = passed ]; then # A popup of low urgency has no banner.
            await 5 banner || result="FAILED: no banner of \"Build $title\""
            screenshot urgency-banner
        fi
        without_banner
        await 5 listed "Build $title" || result="FAILED: the list does not show \"Build $title\""
        press_in_list "urgency-$title"
        opens "https://example.com/$title" || result="FAILED: a click on \"Build $title\" opens nothing"
        clear_popups
    done
    cell urgency "$result"
}

overview_search() {
    js 'Main.overview.show(); 1' >/dev/null
    sleep 2
    js "Main.overview.searchEntry.set_text('$1'); 1" >/dev/null
    await 10 shows_search || true
    screenshot search
    shows_search || result="FAILED: the overview shows $(js "popupTest.texts(Main.layoutManager.overviewGroup).join()")"
    js "(Main.overview.searchController ?? Main.overview._overview._controls._searchController)
        ._searchResults.activateDefault(); 1" >/dev/null
    await 10 found_opened || true
    js 'Main.overview.hide(); 1' >/dev/null
}
shows_search() {
    js "popupTest.texts(Main.layoutManager.overviewGroup).includes('$found_title')" | grep -q true
}
