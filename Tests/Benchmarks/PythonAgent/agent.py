"""A desktop agent as a short script on python-socketio, aiohttp and dbus-fast: what the agent is compared with.

It does the least that such a program has to do. It joins the feed of one user; for each new notification it requests
the details and shows a popup; a click marks the notification as interacted. It keeps no state and never reconnects.

agent.py URL USER APPLICATION: the address of the service, the user's distinct_id, the name that popups carry.
"""

import asyncio
import sys

import aiohttp
import socketio
from dbus_fast.aio import MessageBus

PUBLIC_KEY = "SS.PUBK.sandbox"
TENANT = "default"
NOTIFICATIONS = "org.freedesktop.Notifications"
NOTIFICATIONS_PATH = "/org/freedesktop/Notifications"


class Agent:
    def __init__(self, url, user, application, http, server):
        self.feed = f"{url}/v1/feed/notifications"
        self.identity = {"distinct_id": user, "tenant_id": TENANT}
        self.application = application
        self.http = http
        self.server = server
        self.shown = {}  # the notification of each popup
        self.requests = set()  # asyncio keeps only weak references to tasks

    async def show(self, event, *_):
        async with self.http.get(f"{self.feed}/{event['n_id']}", params=self.identity) as answer:
            answer.raise_for_status()
            notification = await answer.json()
        message = notification["message"]
        popup = await self.server.call_notify(
            self.application, 0, "", message["header"] or "", message["text"], ["default", "Open"], {}, -1
        )
        self.shown[popup] = notification["n_id"]

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


async def main(url, user, application):
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
        agent = Agent(url, user, application, http, server)
        server.on_action_invoked(agent.clicked)
        socket = socketio.AsyncClient()
        socket.on("new_notification", agent.show)
        credentials = {"authorization": PUBLIC_KEY, "schema": "1"} | agent.identity
        await socket.connect(url, transports=["websocket"], auth=credentials)
        await socket.wait()


asyncio.run(main(*sys.argv[1:]))
