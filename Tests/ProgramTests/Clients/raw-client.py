"""A client that violates the protocol: raw-client.py flood COUNT | malformed KIND | huge MEMBER

flood: sends COUNT calls of List, prints "sent" and never reads a reply, until the end of standard input.
malformed: sends one malformed message to the agent and prints "closed" when the bus closes the connection, or else the
error reply of the bus or the agent. "list" as KIND prints all kinds.
huge: calls MEMBER with eight million empty texts, 60 MiB, and prints the name of the error reply.
"""

import os
import re
import socket
import struct
import sys

from dbus_fast import Message, Variant

AGENT = "org.feedbell.Agent1"
PATH = "/org/feedbell/Agent1/account/work"
INBOX = "org.feedbell.Agent1.Inbox"


def connect():
    name = re.search(r"unix:abstract=([^,]+)", os.environ["DBUS_SESSION_BUS_ADDRESS"]).group(1)
    bus = socket.socket(socket.AF_UNIX)
    bus.connect("\0" + name)
    bus.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
    while not bus.recv(4096).startswith(b"OK"):
        pass
    bus.sendall(b"BEGIN\r\n")
    hello = Message("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello", serial=1)
    bus.sendall(hello._marshall(False))
    return bus


def call(serial, member, signature="", body=()):
    return Message(AGENT, PATH, INBOX, member, signature=signature, body=list(body), serial=serial)._marshall(False)


def flood(count):
    bus = connect()
    for serial in range(count):
        bus.sendall(call(serial + 2, "List", "a{sv}", [{}]))
    print("sent", flush=True)
    sys.stdin.read()


MARK = "0123456789abcdef"
MALFORMED = {
    "not UTF-8": lambda: call(2, "Get", "s", [MARK]).replace(MARK.encode(), b"\xff\xfe\xc0\x80" + MARK[4:].encode()),
    "surrogate": lambda: call(2, "Get", "s", [MARK]).replace(MARK.encode(), b"\xed\xa0\x80" + MARK[3:].encode()),
    "NUL in a text": lambda: call(2, "Get", "s", [MARK]).replace(MARK.encode(), b"01234567\x0089abcdef"[:16]),
    "NUL in a name": lambda: call(2, "MarkUnread").replace(b"MarkUnread", b"Mark\0nread"),
    "not UTF-8 as a path": lambda: call(2, "Get", "s", [MARK]).replace(b"account/work", b"account/\xff\xff\xff\xff"),
    "a body longer than any": lambda: patched(call(2, "Get", "s", [MARK]), 4, 128 << 20),
    "an array longer than its body": lambda: patched(call(2, "MarkRead", "as", [[MARK]]), -24, 1 << 16),
    "another byte order": lambda: b"X" + call(2, "Get", "s", [MARK])[1:],
    "another protocol": lambda: call(2, "Get", "s", [MARK])[:3] + b"\x09" + call(2, "Get", "s", [MARK])[4:],
    "a boolean that is neither": lambda: patched(call(2, "List", "a{sv}", [{"unread": Variant("b", True)}]), -4, 7),
}


def patched(message, offset, number):
    message = bytearray(message)
    struct.pack_into("<I", message, offset % len(message), number)
    return bytes(message)


def malformed(kind):
    bus = connect()
    bus.sendall(MALFORMED[kind]())
    print_error(bus)


def huge(member):
    # An empty text is its length, a NUL and padding: eight zeros. The last one has no padding.
    size = 60 << 20
    message = call(2, member, "as", [[]])
    message = patched(patched(message, 4, 4 + size - 3), -4, size - 3)
    bus = connect()
    bus.sendall(message)
    for _ in range(59):
        bus.sendall(bytes(1 << 20))
    bus.sendall(bytes((1 << 20) - 3))
    print_error(bus)


def print_error(bus):
    answer = b""
    while not (error := re.search(rb"org\.[\w.]*Error\.\w+", answer)):
        try:
            received = bus.recv(4096)
        except ConnectionResetError:
            received = b""
        if not received:
            return print("closed")
        answer += received
    print(error.group().decode())


if sys.argv[1] == "flood":
    flood(int(sys.argv[2]))
elif sys.argv[1] == "huge":
    huge(sys.argv[2])
elif sys.argv[2] == "list":
    print("\n".join(MALFORMED))
else:
    malformed(sys.argv[2])
