#!/bin/sh
# A module of a status bar: prints the number of unread notifications and why popups are held back, whenever one of them
# changes. With "toggle", such as for a click, it holds popups back or shows them again. For polybar:
#   exec = bar.sh
#   tail = true
#   click-left = bar.sh toggle
set -eu
case ${1-} in
toggle) exec feedbell pause toggle ;;
*) exec feedbell follow --polybar ;;
esac
