packages=mako-notifier
display wayland
open='1 850 30' dismiss='3 850 30'
no_button='it shows no buttons'
no_late=
no_history=
no_token=
quiet=kept
prepare() {
    mkdir "$XDG_CONFIG_HOME/mako"
    printf '[mode=quiet]\ninvisible=1\n' >"$XDG_CONFIG_HOME/mako/config"
}
set_quiet() { if [ "$1" = true ]; then makoctl mode -a quiet; else makoctl mode -r quiet; fi >/dev/null; }
click_in_history() {
    sleep 0.7
    tap dismiss
    await 15 has "$work/service.log" "$id/seen 200" || true
    makoctl restore
    sleep 0.7
    tap open
}
