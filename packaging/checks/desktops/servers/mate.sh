packages=mate-notification-daemon
program=/usr/lib/mate-notification-daemon/mate-notification-daemon
[ -x $program ] || program=/usr/libexec/mate-notification-daemon/mate-notification-daemon
class=Mate-notification-daemon
dismiss='1 -24 27' button='1 -116 -27'
no_late=
set_quiet() { gsettings set org.mate.NotificationDaemon do-not-disturb "$1"; }
