"""A desktop agent as a short script on python-socketio, aiohttp and dbus-fast: what the agent is compared with.

It does the least that such a program has to do. It joins the feed of one user; for each new notification it requests
the details and shows a popup; a click marks the notification as interacted. It keeps each notification and that it was
shown, as a program must that shows nothing twice after a restart. It never reconnects.

agent.py URL USER APPLICATION FILE: the address of the service, the user's distinct_id, the name that popups carry, and
where notifications are kept.
"""

import asyncio
import json
import sqlite3
import sys

import aiohttp
import socketio
from dbus_fast.aio import MessageBus

PUBLIC_KEY = "SS.PUBK.sandbox"
TENANT = "default"
NOTIFICATIONS = "org.freedesktop.Notifications"
NOTIFICATIONS_PATH = "/org/freedesktop/Notifications"


class Agent:
    def __init__(self, url, user, application, kept, http, server):
        self.feed = f"{url}/v1/feed/notifications"
        self.identity = {"distinct_id": user, "tenant_id": TENANT}
        self.application = application
        self.kept = kept
        self.http = http
        self.server = server
        self.shown = {}  # the notification of each popup
        self.requests = set()  # asyncio keeps only weak references to tasks

    async def show(self, event, *_):
        async with self.http.get(f"{self.feed}/{event['n_id']}", params=self.identity) as answer:
            answer.raise_for_status()
            notification = await answer.json()
        row = (notification["n_id"], notification["created_on"], json.dumps(notification))
        self.kept.execute("INSERT OR REPLACE INTO notifications VALUES (?, ?, ?, 0)", row)
        message = notification["message"]
        popup = await self.server.call_notify(
            self.application, 0, "", message["header"] or "", message["text"], ["default", "Open"], {}, -1
        )
        self.shown[popup] = notification["n_id"]
        self.kept.execute("UPDATE notifications SET shown = 1 WHERE id = ?", (notification["n_id"],))

    def clicked(self, popup, _key):
        request = asyncio.ensure_future(self.mark(popup))
        self.requests.add(request)
        request.add_done_callback(self.requests.discard)

    async def mark(self, popup):
        # Looked up here and not before: a click may be read together with the reply to Notify.
        if popup not in self.shown:
            return
        url = f"{self.feed}/{self.shown[popup]}/interacted"
        async with self.http.patch(url, params=self.identity, data="{}") as answer:
            answer.raise_for_status()


def database(path):
    kept = sqlite3.connect(path, isolation_level=None)
    kept.executescript(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
        "CREATE TABLE notifications (id TEXT PRIMARY KEY, created INTEGER, content TEXT, shown INTEGER)"
    )
    return kept


async def main(url, user, application, path):
    bus = await MessageBus().connect()
    description = await bus.introspect(NOTIFICATIONS, NOTIFICATIONS_PATH)
    server = bus.get_proxy_object(NOTIFICATIONS, NOTIFICATIONS_PATH, description).get_interface(NOTIFICATIONS)
    headers = {
        "Authorization": PUBLIC_KEY,
        "Content-Type": "application/json",
        "X-Suprsend-User-Agent": "python-agent/1",
        "X-Suprsend-Client-User-Agent": '{"sdk":"python-agent"}',
    }
    async with aiohttp.ClientSession(headers=headers) as http:
        agent = Agent(url, user, application, database(path), http, server)
        server.on_action_invoked(agent.clicked)
        socket = socketio.AsyncClient()
        socket.on("new_notification", agent.show)
        credentials = {"authorization": PUBLIC_KEY, "schema": "1"} | agent.identity
        await socket.connect(url, transports=["websocket"], auth=credentials)
        await socket.wait()


asyncio.run(main(*sys.argv[1:]))
