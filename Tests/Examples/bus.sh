#!/bin/sh
# The inbox of the first account from the shell, by busctl and jq: prints the titles of what is unread, and with the
# name of a category marks its notifications as read.
#
#   bus.sh [CATEGORY]
set -eu

bus=org.feedbell.Agent1
account=$(busctl --user --json=short get-property $bus /org/feedbell/Agent1 $bus Accounts | jq -r '.data[0]')

# inbox METHOD [SIGNATURE ARGUMENTS…]: the reply as JSON
inbox() { busctl --user --json=short call $bus "$account" $bus.Inbox "$@" | jq -c '.data[0]? // empty'; }

inbox List 'a{sv}' 1 unread b true | jq -r '.[].title.data'
[ $# = 1 ] || exit 0
ids=$(inbox List 'a{sv}' 2 unread b true category s "$1" | jq -r '.[].id.data')
[ -n "$ids" ] || exit 0
# shellcheck disable=SC2086
inbox MarkRead as "$(echo "$ids" | wc -l)" $ids
