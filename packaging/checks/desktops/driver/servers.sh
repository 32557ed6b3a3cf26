# The servers as data: each is a file in packaging/checks/desktops/servers. $suite is the release of Debian.

desktops=packaging/checks/desktops
cells=$(cat $desktops/cells)

load() { # load SERVER: sets what its file says
    server=$1
    . $desktops/driver/server.sh
    . "$desktops/servers/$server.sh"
    : "${single:=$open}" "${command:=$program}"
}
servers() { # those that this release has
    for file in "$desktops"/servers/*.sh; do
        server=${file##*/}
        load "${server%.sh}"
        [ "$absent" = "$suite" ] || echo "$server"
    done
}
server_packages() {
    for server in $(servers); do
        load "$server"
        echo "$packages $display_packages"
    done | tr ' ' '\n' | sort -u | tr '\n' ' '
}
