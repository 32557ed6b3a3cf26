"""A stock Socket.IO server, steered by lines on standard input.

It prints one JSON value per line: first its port, then what it sees, such as
["connected", {...the client's auth...}] or ["acknowledged", []].

    emit ["name", argument, ...]    to all clients
    ask ["name", argument, ...]     to all clients, and print the acknowledgement
    disconnect                      disconnect all clients (41)
    refuse "message"                refuse the next client (44)
    pongs                           print ["pong"] for each answer to a ping from now on

The arguments are the ping interval and the ping timeout in seconds, and the port; 0: any.
A client with "refuse" in its credentials is refused (44) with that message. There is no connection state recovery:
python-socketio has none.
"""

import asyncio
import json
import os
import sys

import socketio
from aiohttp import web
from engineio import async_socket, packet

sio = socketio.AsyncServer(
    async_mode="aiohttp",
    transports=["websocket"],
    ping_interval=float(sys.argv[1]),
    ping_timeout=float(sys.argv[2]),
)
clients = set()
refusals = []


shows_pongs = False


def report(value):
    print(json.dumps(value), flush=True)


receive = async_socket.AsyncSocket.receive


async def receive_and_tell(self, pkt):
    if shows_pongs and pkt.packet_type == packet.PONG:
        report(["pong"])
    return await receive(self, pkt)


async_socket.AsyncSocket.receive = receive_and_tell


@sio.event
async def connect(sid, environ, auth):
    if refusals:
        raise socketio.exceptions.ConnectionRefusedError(refusals.pop(0))
    if auth and "refuse" in auth:
        raise socketio.exceptions.ConnectionRefusedError(auth["refuse"], {"hint": 1})
    clients.add(sid)
    report(["connected", auth])


@sio.event
async def disconnect(sid, reason):
    clients.discard(sid)
    report(["disconnected", reason])


async def obey(line):
    global shows_pongs
    command, _, rest = line.strip().partition(" ")
    if command == "emit":
        name, *arguments = json.loads(rest)
        await sio.emit(name, tuple(arguments))
    elif command == "ask":
        name, *arguments = json.loads(rest)
        for sid in list(clients):
            acknowledged = lambda *answer: report(["acknowledged", list(answer)])
            await sio.emit(name, tuple(arguments), to=sid, callback=acknowledged)
    elif command == "disconnect":
        for sid in list(clients):
            await sio.disconnect(sid)
    elif command == "pongs":
        shows_pongs = True
    elif command == "refuse":
        refusals.append(json.loads(rest))


async def main():
    app = web.Application()
    sio.attach(app)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", int(sys.argv[3]), reuse_address=True)
    await site.start()
    report(runner.addresses[0][1])
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        await obey(line.decode())
    os._exit(0)  # The controlling test has ended: exit at once.


asyncio.run(main())
