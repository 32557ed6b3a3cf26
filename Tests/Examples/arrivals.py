#!/usr/bin/python3
"""Prints the number of unread notifications whenever it changes, and the title of each new notification.

It needs Debian's package python3-gi, and starts the agent if it does not run. The tests run it.
"""

from gi.repository import Gio, GLib

AGENT = "org.feedbell.Agent1"
PATH = "/org/feedbell/Agent1"


def print_arrival(_bus, _sender, _path, _interface, _signal, parameters):
    _, notification = parameters.unpack()
    print("new:", notification["title"], flush=True)


def print_unread(agent, changed=None, _invalidated=None):
    if changed is None or "UnreadCount" in changed.keys():
        print("unread:", agent.get_cached_property("UnreadCount").unpack(), flush=True)


bus = Gio.bus_get_sync(Gio.BusType.SESSION)
# Of every account: each has an object of its own.
bus.signal_subscribe(
    AGENT, f"{AGENT}.Inbox", "NotificationArrived", None, None, Gio.DBusSignalFlags.NONE, print_arrival
)
agent = Gio.DBusProxy.new_sync(bus, Gio.DBusProxyFlags.NONE, None, AGENT, PATH, AGENT)
agent.connect("g-properties-changed", print_unread)
print_unread(agent)
GLib.MainLoop().run()
