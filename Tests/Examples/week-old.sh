#!/bin/sh
# Marks what is older than a week as read, and archives promotions that are older than a day. Run it daily, from a timer
# of systemd or from cron; it needs your session, so it does nothing while you are logged out.
set -eu
feedbell read --before 7d --yes
feedbell archive --category promo --before 1d --yes
