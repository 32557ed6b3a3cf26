#!/bin/sh
# A test of scripts with Feedbell by busctl, gdbus, jq and the command. For an example, see bus.sh.
#
# It expects a running agent with one account, "work", and in its inbox three unread notifications: "Parcel" of the
# category orders, "Sale" and "More sale" of the category promo.
set -eu

bus=org.feedbell.Agent1
agent=/org/feedbell/Agent1
work=$agent/account/work
passed=0 failed=0

is() { # is WHAT EXPECTED ACTUAL
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf '%s: expected "%s", got "%s"\n' "$1" "$2" "$3" >&2
    fi
}

# property OBJECT INTERFACE NAME: its value as JSON
property() { busctl --user --json=short get-property $bus "$1" "$2" "$3" | jq -c .data; }

# inbox METHOD [SIGNATURE ARGUMENTS…]: what it answers, as JSON
inbox() { busctl --user --json=short call $bus $work $bus.Inbox "$@" | jq -c '.data[0]? // empty'; }
preferences() { busctl --user --json=short call $bus $work $bus.Preferences "$@" | jq -c '.data[0]? // empty'; }

# until EXPECTED COMMAND…: asks again until it says so, for five seconds at most
until_it_is() {
    expected=$1 tries=0
    shift
    while answer=$("$@"); [ "$answer" != "$expected" ] && [ $tries -lt 100 ]; do
        tries=$((tries + 1))
        sleep 0.05
    done
    is "$*" "$expected" "$answer"
}

# A number for a status bar.
is "unread in all accounts" 3 "$(property $agent $bus UnreadCount)"
is "unread, by gdbus" "(<uint32 3>,)" \
    "$(gdbus call -e -d $bus -o $work -m org.freedesktop.DBus.Properties.Get $bus.Inbox UnreadCount)"
is "the account's state" '"online"' "$(property $work $bus.Account State)"

# Accounts: one call returns all of them with their properties.
is "accounts" work "$(busctl --user --json=short call $bus $agent org.freedesktop.DBus.ObjectManager GetManagedObjects |
    jq -r ".data[0][][\"$bus.Account\"].Name.data")"

# The titles of what is unread, oldest first.
is "titles" "Parcel, Sale, More sale" \
    "$(inbox List 'a{sv}' 1 unread b true | jq -r 'reverse | map(.title.data) | join(", ")')"
is "the newest title" "More sale" "$(inbox List 'a{sv}' 1 limit u 1 | jq -r '.[0].title.data')"
is "titles, by the command" "More sale" "$(feedbell list --category promo --json | jq -r '.[0].title')"

# Everything of a category is read.
promo=$(inbox List 'a{sv}' 1 category s promo | jq -r '.[].id.data')
# shellcheck disable=SC2086
inbox MarkRead as "$(echo "$promo" | wc -l)" $promo
is "unread at once, before the service knows" 1 "$(property $work $bus.Inbox UnreadCount)"
until_it_is 0 property $work $bus.Account PendingActions
is "unread when the service knows" 1 "$(property $work $bus.Inbox UnreadCount)"

# One notification, by gdbus and by the beginning of its id.
parcel=$(feedbell list --unread --json | jq -r '.[0].id')
is "one by gdbus" 1 "$(gdbus call -e -d $bus -o $work -m $bus.Inbox.Get "$parcel" | grep -c "'title': <'Parcel'>")"
feedbell archive "$parcel"
until_it_is 0 property $work $bus.Inbox UnreadCount

# An error has a sentence for the user and a name or an exit code for scripts.
is "no such notification, by gdbus" 1 \
    "$(gdbus call -e -d $bus -o $work -m $bus.Inbox.Get nope 2>&1 | grep -c org.feedbell.Error.NotFound)"
code=0
feedbell show nope 2>/dev/null || code=$?
is "no such notification, by the command" 5 $code

# Every category that can be switched off is.
switchable='.[] | select(.editable.data and .preference.data == "opt_in")'
for category in $(preferences List | jq -r "$switchable | .category.data"); do
    preferences SetCategory ss "$category" opt_out
done
preferences Flush
is "nothing left to switch off" 0 \
    "$(preferences List | jq "[$switchable] | length")"
is "changes not confirmed" 0 "$(property $work $bus.Preferences Pending)"

# Quiet during a talk.
busctl --user call $bus $agent $bus Pause x $((($(date +%s) + 3600) * 1000))
is "paused" true "$(feedbell status --json | jq .paused)"
feedbell resume
is "resumed" false "$(property $agent $bus Paused)"

echo "$passed passed, $failed failed"
[ $failed = 0 ]
