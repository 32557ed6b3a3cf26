program=/usr/lib/notification-daemon/notification-daemon
class=Notification-daemon
dismiss='1 -24 29' button='1 -131 -37'
no_late=
no_quiet='it has no do-not-disturb'
signals_expiry=no
