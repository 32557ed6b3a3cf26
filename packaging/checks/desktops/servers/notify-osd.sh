packages='notify-osd xcompmgr'
program=/usr/lib/x86_64-linux-gnu/notify-osd
[ -x $program ] || program=/usr/libexec/notify-osd
class=Notify-osd
no_click='it shows no actions'
no_button='it shows no buttons'
no_dismissal='it has no close button'
no_expiry='it ignores timeouts'
no_quiet='it has no do-not-disturb'
closes_at_once=no
prepare() { start "$work/xcompmgr.log" xcompmgr; sleep 0.3; }
