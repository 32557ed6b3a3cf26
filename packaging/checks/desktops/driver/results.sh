# The results of the cells: lines with the name of a cell and "works", "- REASON" or "FAILED: REASON".

cell() { # cell NAME RESULT
    printf '%-12s %s\n' "$1" "$2" >>"$results"
    case $2 in FAILED*) echo "$server: $1: $2" >>"$base/failures" ;; esac
}
check() { # check CELL COMMAND…: works if the command succeeds
    checked=$1
    shift
    if "$@"; then cell "$checked" works; else cell "$checked" FAILED; fi
}
limited() { # limited CELL [LIMIT]: whether the server cannot have it, and if so, says why
    eval "reason=\$no_${2:-$1}"
    [ -n "$reason" ] && cell "$1" "- $reason"
}
# What they say later, in files in $pictures
result() { # result SERVER CELL
    awk -v name="$2" '$1 == name { $1 = ""; found = substr($0, 2) } END { print found == "" ? "-" : found }' \
        "$pictures/$1.results"
}
word() { result "$@" | cut -d ' ' -f 1 | tr -d :; } # word SERVER CELL: the result without its reason
reasons() { # reasons SERVER…: why they are limited
    for server; do
        for name in $cells; do
            reason=$(result "$server" "$name")
            case $reason in '- '*) echo "$server, $name: ${reason#- }" ;; esac
        done
    done
}
