#!/bin/sh
# Writes what arrives in the category builds to a log, and marks it as read. Start it with the session:
#   builds.sh ~/builds.log
exec feedbell follow --category builds --exec sh -c '
    printf "%s\t%s\n" "$FEEDBELL_TITLE" "$FEEDBELL_URL" >>"$1"
    feedbell read "$FEEDBELL_ID"
' sh "${1:?the path of the log}"
