# What the file of a server says, with what holds if it does not. packaging/checks/desktops/servers/NAME.sh sets some of
# these variables and functions; the name of the file is that of the server.

packages=$server        # of Debian; the first one's version is documented
absent=                 # the release of Debian that does not have it
variant=                # what its documented name has besides that of the package
picture=                # size and gravity of the documented screenshot, if it has one

program=$server
command=                # the program with its arguments, if it has some
patience=20             # for how many seconds it may start
services=               # what its bus has to start
popups=                 # a setting of the agent's popups

display() { . "$desktops/driver/displays/$1.sh"; }
display x11             # or wayland, or stage
class=                  # that of its windows

# Clicks: a button of the pointer, and a place in the popup (on x11) or on the screen.
open='1 60 30'          # opens the link
single=                 # the same in a popup without further buttons, if it differs
dismiss=
button=                 # the first button besides that of the link

# Why it cannot have what a cell is about, if so
no_click=
no_button=
no_late='a replaced popup appears again, so a late picture is left out'
no_dismissal=
no_expiry=
no_history='it has no list of old popups that can be clicked'
no_token='it sends no activation token'
no_quiet=
no_eviction='it closes none of twelve popups'

# Manners
replaces=yes            # whether a popup can take another's place
signals_expiry=yes      # whether it says that the time of a popup is over
closes_at_once=yes      # whether a popup disappears when the agent closes it
agent_shows_again=no    # whether the next agent shows the popups of a killed one once more
history_title=Old       # the title of the popup that is clicked in the history
history_has_token=no    # whether a click there sends a token
quiet=held              # do-not-disturb: the agent holds popups back, or the server, which has "kept" them
critical_passes_quiet=no

environment() { :; }    # variables, also for what the buses start
prepare() { :; }        # what has to be there or to run before it
ready() { :; }          # waits until it can show popups
set_quiet() { :; }      # set_quiet true|false: do-not-disturb
kept_popup() { empty_screen; } # whether it keeps a popup now instead of showing it
kept_popup_appears() { await 5 drawn_screen; }
click_in_history() { :; }
close_history() { :; }
click_for_portal() { tap single; }
own_cells() { :; }      # cells that only it has
