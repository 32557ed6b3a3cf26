packages=lxqt-notificationd
picture='520x190 SouthEast'
program=lxqt-notificationd
class=lxqt-notificationd
open='1 100 60' dismiss='1 -22 30' button='1 154 -33'
no_late=
prepare() { mkdir "$XDG_CONFIG_HOME/lxqt"; }
set_quiet() {
    printf '[General]\ndoNotDisturb=%s\n' "$1" >"$XDG_CONFIG_HOME/lxqt/new"
    mv "$XDG_CONFIG_HOME/lxqt/new" "$XDG_CONFIG_HOME/lxqt/notifications.conf"
}
