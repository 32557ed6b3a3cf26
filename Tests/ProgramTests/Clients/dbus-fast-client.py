"""A client with proxies that dbus-fast makes from org.feedbell.Agent1.xml: dbus-fast-client.py XML

Marks the first notification of the account "work" as read and waits for the signal. Prints a line for each fact it
learns.
"""

import asyncio
import sys

from dbus_fast import Variant
from dbus_fast.aio import MessageBus
from dbus_fast.errors import DBusError
from dbus_fast.introspection import Node


async def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        described = Node.parse(file.read())
    described.interfaces += Node.default().interfaces
    bus = await MessageBus().connect()
    agent = bus.get_proxy_object("org.feedbell.Agent1", "/org/feedbell/Agent1", described)
    accounts = await agent.get_interface("org.feedbell.Agent1").get_accounts()
    work = bus.get_proxy_object("org.feedbell.Agent1", accounts[0], described)

    account = work.get_interface("org.feedbell.Agent1.Account")
    print("account", await account.get_name(), await account.get_state())
    inbox = work.get_interface("org.feedbell.Agent1.Inbox")
    print("unread", await inbox.get_unread_count())

    changed, counted = asyncio.get_running_loop().create_future(), asyncio.get_running_loop().create_future()

    def on_changed(id, item):
        if item["read"].value and not changed.done():
            changed.set_result(id)

    def on_properties(interface, properties, invalidated):
        if "UnreadCount" in properties and not counted.done():
            counted.set_result(properties["UnreadCount"].value)

    inbox.on_notification_changed(on_changed)
    work.get_interface("org.freedesktop.DBus.Properties").on_properties_changed(on_properties)

    items = await inbox.call_list({"limit": Variant("u", 1)})
    print("title", items[0]["title"].value)
    await inbox.call_mark_read([items[0]["id"].value])
    print("changed", await changed)
    print("unread", await counted)

    preferences = work.get_interface("org.feedbell.Agent1.Preferences")
    for category in await preferences.call_list():
        print("category", category["category"].value, category["preference"].value)
    try:
        await preferences.call_set_category("nonsense", "opt_in")
    except DBusError as error:
        print("error", error.type)


asyncio.run(main())
