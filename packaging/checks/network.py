"""Runs the agent on bad networks. Started by packaging/checks/test-network in a network namespace of its own."""

import collections
import json
import os
import queue
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

PROGRAMS, SCENE, SERVICE = sys.argv[1], *sys.argv[2].split(":")
SANDBOX = shutil.which("feedbell-sandbox")
CLIENT_ADDRESS, NEW_ADDRESS = "127.0.0.9", "127.0.0.8"
Names = collections.namedtuple("Names", ["title", "text", "created", "ticks"])
# The fields of a notification, and the ticks of its time per second.
NAMES = {
    "suprsend": Names("header", "text", "created_on", 1000),
    "magicbell": Names("title", "content", "sent_at", 1),
}


class Failure(Exception):
    pass


class Link:
    """Forwards connections to the service: slowly, late, and like a router that forgets."""

    def __init__(self, port):
        self.target = port
        self.rate = None  # bytes per second, of all connections together
        self.delay = 0  # seconds in each direction
        self.forgets_after = None  # seconds of silence
        self.forgets_sockets = True
        self.lock = threading.Lock()
        self.free_at = 0.0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            server = socket.create_connection(("127.0.0.1", self.target))
            now = time.monotonic()
            # The client waits for the connection itself, too.
            opened = now + 2 * self.delay
            state = {"last": now, "opened": opened, "is_socket": False, "is_broken": False}
            for source, sink in ((client, server), (server, client)):
                sent = queue.Queue()
                for body, arguments in (
                    (self.deliver, (sink, sent, state)),
                    (self.forward, (source, sent, state)),
                ):
                    threading.Thread(target=body, args=arguments, daemon=True).start()

    def deliver(self, sink, sent, state):
        while True:
            moment, data = sent.get()
            time.sleep(max(0, moment - time.monotonic()))
            try:
                if data:
                    sink.sendall(data)
                else:
                    sink.shutdown(socket.SHUT_WR)
            except OSError:
                # What was sent to it is discarded.
                state["is_broken"] = True
            if not data or state["is_broken"]:
                return

    def forward(self, source, sent, state):
        while True:
            try:
                data = source.recv(1200)
            except OSError:
                data = b""
            now = time.monotonic()
            forgets = self.forgets_after and (self.forgets_sockets or not state["is_socket"])
            if forgets and now - state["last"] > self.forgets_after:
                # Neither side learns of it.
                while source.fileno() >= 0:
                    time.sleep(60)
            state["last"] = now
            state["is_socket"] = state["is_socket"] or b"upgrade: websocket" in data.lower()
            moment = max(now, state["opened"]) + self.delay
            if self.rate and data:
                with self.lock:
                    self.free_at = max(self.free_at, now) + len(data) / self.rate
                    moment = max(moment, self.free_at + self.delay)
                time.sleep(max(0, self.free_at - now))
            sent.put((moment, data))
            if state["is_broken"]:
                source.close()
            if not data or state["is_broken"]:
                return


class Lines:
    """The output of a program, each line with its time."""

    def __init__(self, stream):
        self.lines = []
        self.condition = threading.Condition()
        threading.Thread(target=self.read, args=(stream,), daemon=True).start()

    def read(self, stream):
        for line in stream:
            with self.condition:
                self.lines.append((time.monotonic(), line.rstrip("\n")))
                self.condition.notify_all()

    def wait(self, pattern, limit):
        """The time of the first line that matches."""
        end = time.monotonic() + limit
        with self.condition:
            while True:
                for moment, line in self.lines:
                    if re.search(pattern, line):
                        return moment
                rest = end - time.monotonic()
                if rest <= 0:
                    raise Failure(f"no line matches {pattern} within {limit} s")
                self.condition.wait(rest)

    def all(self, pattern):
        with self.condition:
            return [(moment, line) for moment, line in self.lines if re.search(pattern, line)]


class NameServer:
    """Answers that each name is this computer's; until ``answers`` is set, not at all, like one without a network."""

    def __init__(self, directory):
        self.answers = False
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.53", 53))
        threading.Thread(target=self.serve, daemon=True).start()
        for name, contents in (("hosts", ""), ("resolv.conf", "nameserver 127.0.0.53\n")):
            with open(f"{directory}/{name}", "w") as file:
                file.write(contents)
            run("mount", "--bind", file.name, f"/etc/{name}")

    def serve(self):
        while True:
            query, client = self.socket.recvfrom(512)
            if not self.answers:
                continue
            end = query.index(0, 12) + 5
            # RFC 1035 section 4.1: the question, and for type A one record whose name is that of the question.
            is_a = query[end - 4 : end - 2] == b"\0\x01"
            record = b"\xc0\x0c\0\x01\0\x01\0\0\0\x3c\0\x04" + socket.inet_aton("127.0.0.1")
            counts = b"\0\x01" + (b"\0\x01" if is_a else b"\0\0") + b"\0\0\0\0"
            self.socket.sendto(
                query[:2] + b"\x81\x80" + counts + query[12:end] + (record if is_a else b""), client
            )


class Desktop:
    """A service, a link to it, a session bus with a notification server, and the agent."""

    def __init__(self, service, direct=False, host="127.0.0.1"):
        self.service = service
        self.children = []
        self.directory = tempfile.mkdtemp(prefix="feedbell-network-")
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": self.directory,
            "XDG_RUNTIME_DIR": self.directory,
            "XDG_STATE_HOME": self.directory + "/state",
            "XDG_CACHE_HOME": self.directory + "/cache",
            "XDG_CONFIG_HOME": self.directory + "/config",
        }
        bus = self.start(["dbus-daemon", "--session", "--nofork", "--print-address"])
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().strip()
        port_file = self.directory + "/port"
        self.sandbox = self.start(
            [SANDBOX, "serve", "--service", service, "--port-file", port_file]
            + ["--user", "anna@example.com"],
        )
        while not os.path.exists(port_file) or not open(port_file).read().strip():
            time.sleep(0.05)
        self.service_port = int(open(port_file).read())
        self.log = Lines(self.sandbox.stdout)
        self.link = Link(self.service_port)
        self.popups = Lines(self.start([SANDBOX, "notifications"]).stdout)
        self.port = self.service_port if direct else self.link.port
        url = f"http://{host}:{self.port}"
        if service == "suprsend":
            settings = f'''
                provider = "suprsend"
                public_key = "SS.PUBK.sandbox"
                distinct_id = "anna@example.com"
                hub_url = "{url}"
                api_url = "{url}"
                socket_url = "{url}"
                token_command = ["{SANDBOX}", "token", "http://127.0.0.1:{self.service_port}"]'''
        else:
            settings = f'''
                provider = "magicbell"
                api_key = "pk_sandbox"
                email = "anna@example.com"
                realtime = "socket"
                api_url = "{url}"
                socket_url = "{url}"
                ably_rest_url = "{url}"
                ably_realtime_url = "{url}"'''
        self.configuration = self.directory + "/config.toml"
        with open(os.open(self.configuration, os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
            file.write("[accounts.work]" + settings + "\n[popups]\ngroup_above = 20\n")
        self.numbers = iter(range(1, 1000))

    def start(self, command, errors=None):
        child = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors or subprocess.DEVNULL,
            text=True,
            env=self.environment,
        )
        self.children.append(child)
        return child

    def start_agent(self, wait=True):
        self.started = time.monotonic()
        self.errors = open(self.directory + "/agent.log", "w")
        self.agent = self.start(
            [f"{PROGRAMS}/feedbell-agent", "--config", self.configuration, "--log-level", "debug"], self.errors
        )
        if wait:
            self.wait_until(lambda: ": online" in self.feedbell("status"), 30, "online")

    def feedbell(self, *arguments):
        command = [f"{PROGRAMS}/feedbell", *arguments]
        return subprocess.run(command, env=self.environment, capture_output=True, text=True).stdout

    def command(self, line):
        self.sandbox.stdin.write(line + "\n")
        self.sandbox.stdin.flush()

    def publish(self, size=20, hours=0):
        """Publishes a notification, as if these hours ago, and returns its title."""
        title = f"Number-{next(self.numbers)}."
        text = ("x" * 80 + " ") * (size // 81) + "end"
        names = NAMES[self.service]
        created = int((time.time() - hours * 3600) * names.ticks)
        fields = {names.title: title, names.text: text, names.created: created}
        self.command("publish " + json.dumps(fields))
        return title

    def popup_after(self, limit):
        """Publishes a notification, and returns the seconds until its popup."""
        now = time.monotonic()
        return self.popups.wait(re.escape(self.publish()), limit) - now

    def wait_until(self, is_met, limit, what):
        end = time.monotonic() + limit
        while not is_met():
            if time.monotonic() > end:
                raise Failure(f"not {what} within {limit} s: {self.feedbell('status')}")
            time.sleep(0.1)
        return time.monotonic()

    def close(self):
        for child in reversed(self.children):
            child.kill()
            child.wait()
        shutil.rmtree(self.directory, ignore_errors=True)


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def drop(expression):
    run("nft", "add", "rule", "inet", "feedbell", "out", *expression.split(), "drop")


def restore():
    run("nft", "flush", "chain", "inet", "feedbell", "out")


def within(limit, seconds, what):
    print(f"   {what}: {seconds:.1f} s (at most {limit})", flush=True)
    if seconds > limit:
        raise Failure(f"{what} took {seconds:.1f} s, more than {limit}")


def given_up(desktop):
    """What was given up in an outage is not delivered after it."""
    desktop.start_agent()
    title = desktop.publish()
    desktop.popups.wait(re.escape(title), 10)
    identifier = json.loads(desktop.feedbell("list", "--json"))[0]["id"]
    drop(f"tcp dport {desktop.port}")
    drop(f"tcp sport {desktop.port}")
    start = time.monotonic()
    desktop.feedbell("read", identifier)
    time.sleep(30)
    restore()
    desktop.feedbell("unread", identifier)
    action = r"(PATCH|POST|PUT) \S*(/|_)(un)?read"
    desktop.wait_until(lambda: any("unread" in line for _, line in desktop.log.all(action)), 30, "unread")
    time.sleep(max(0, start + 70 - time.monotonic()))
    actions = [(round(moment - start, 1), line.split()[1].split("/")[-1]) for moment, line in desktop.log.all(action)]
    print("   the service received:", actions, flush=True)
    if actions[-1][1] != "unread":
        raise Failure(f"read was delivered after unread: {actions}")


def miss(desktop, count, size):
    """What is published while no agent runs is shown by the next one."""
    desktop.agent.send_signal(signal.SIGTERM)
    desktop.agent.wait()
    titles = [desktop.publish(size=size) for _ in range(count)]
    desktop.start_agent(wait=False)
    shown = max(desktop.popups.wait(re.escape(title), 240) for title in titles)
    within(60, shown - desktop.started, "what was missed")


def slow(desktop):
    """Twenty long notifications over 20 kbit/s."""
    for number in range(20):
        desktop.publish(size=3000, hours=20 - number)
    desktop.link.rate = 2500
    desktop.start_agent(wait=False)
    loaded = desktop.wait_until(lambda: desktop.feedbell("list").count("Number-") >= 20, 90, "loaded")
    within(60, loaded - desktop.started, "the list")
    miss(desktop, 3, 3000)


def slower(desktop):
    """Twenty notifications over 20 kbit/s that are so long that not all arrive within a minute."""
    for number in range(20):
        desktop.publish(size=16000, hours=20 - number)
    desktop.link.rate = 2500
    desktop.start_agent(wait=False)
    some = desktop.wait_until(lambda: "Number-" in desktop.feedbell("list"), 90, "partly loaded")
    within(60, some - desktop.started, "the first of the list")
    loaded = desktop.wait_until(lambda: desktop.feedbell("list").count("Number-") >= 20, 240, "loaded")
    within(240, loaded - desktop.started, "the whole list")
    miss(desktop, 2, 16000)


def address(desktop):
    """The address of the connections vanishes, and another one takes its place."""
    run("ip", "address", "add", f"{CLIENT_ADDRESS}/8", "dev", "lo")
    run("ip", "address", "add", f"{NEW_ADDRESS}/8", "dev", "lo")
    route = ("ip", "route", "replace", "local", "127.0.0.1", "dev", "lo", "table", "local", "src")
    run(*route, CLIENT_ADDRESS)
    desktop.start_agent()
    desktop.popup_after(10)
    now = time.monotonic()
    drop(f"ip saddr {CLIENT_ADDRESS}")
    drop(f"ip daddr {CLIENT_ADDRESS}")
    run(*route, NEW_ADDRESS)
    run("ip", "address", "del", f"{CLIENT_ADDRESS}/8", "dev", "lo")
    title = desktop.publish()
    within(5, desktop.popups.wait(re.escape(title), 60) - now, "a popup after the switch")
    connection = "connection [0-9]+: .*(open|connected)"
    opened = desktop.log.all(connection)
    run("ip", "address", "add", "127.0.0.7/8", "dev", "lo")
    time.sleep(4)
    if desktop.log.all(connection) != opened:
        raise Failure("a connection was opened anew because of another address")


def default_route(desktop):
    """The default route is replaced, and the router of the new one does not know the connections."""
    run("ip", "link", "add", "feedbell1", "type", "veth", "peer", "name", "feedbell2")
    run("ip", "link", "set", "feedbell2", "up")
    run("ip", "address", "add", "10.0.0.2/24", "dev", "feedbell1")
    run("ip", "link", "set", "feedbell1", "up")
    run("ip", "route", "add", "default", "via", "10.0.0.1")
    desktop.start_agent()
    desktop.popup_after(10)
    ports = established(desktop.port)
    for port in ports:
        drop(f"tcp sport {port}")
        drop(f"tcp dport {port}")
    now = time.monotonic()
    run("ip", "route", "replace", "default", "via", "10.0.0.3")
    title = desktop.publish()
    within(6, desktop.popups.wait(re.escape(title), 60) - now, "a popup after the replacement")


def late_route(desktop):
    """A session begins without a network. After a minute there is an address and a default route."""
    names = NameServer(desktop.directory)
    desktop.start_agent(wait=False)
    time.sleep(60)
    if ": online" in desktop.feedbell("status"):
        raise Failure("online without a network")
    run("ip", "link", "add", "feedbell1", "type", "veth", "peer", "name", "feedbell2")
    run("ip", "link", "set", "feedbell2", "up")
    run("ip", "address", "add", "10.0.0.2/24", "dev", "feedbell1")
    run("ip", "link", "set", "feedbell1", "up")
    names.answers = True
    run("ip", "route", "add", "default", "via", "10.0.0.1")
    now = time.monotonic()
    online = desktop.wait_until(lambda: ": online" in desktop.feedbell("status"), 60, "online")
    within(3, online - now, "online after the route came")
    within(3, desktop.popup_after(10), "a popup")


def established(port):
    """The local ports of the connections to a port."""
    lines = subprocess.run(["ss", "-Htn", f"dport = :{port}"], capture_output=True, text=True).stdout.splitlines()
    return [line.split()[3].rsplit(":", 1)[1] for line in lines]


def rested(desktop):
    """A router forgets the connections of requests that rest for 12 s."""
    desktop.start_agent()
    desktop.popup_after(10)
    desktop.link.forgets_after, desktop.link.forgets_sockets = 12, False
    time.sleep(15)
    within(3, desktop.popup_after(60), "a popup")


def forgetful(desktop):
    """A router forgets connections that rest for 30 s."""
    desktop.link.forgets_after = 30
    desktop.start_agent()
    time.sleep(130)
    delays = []
    for _ in range(2):
        time.sleep(35)
        delays.append(desktop.popup_after(60))
    within(5, max(delays), "the slower popup, after two silent losses")


def far(desktop):
    """A round trip takes 4 s."""
    desktop.link.delay = 2
    desktop.start_agent(wait=False)
    online = desktop.wait_until(lambda: ": online" in desktop.feedbell("status"), 120, "online")
    within(60, online - desktop.started, "online")
    within(30, desktop.popup_after(60), "a popup")


def lossy(desktop):
    """Of all packets 30 % are lost."""
    for end in ("sport", "dport"):
        drop(f"tcp {end} {desktop.port} numgen random mod 10 < 3")
    desktop.start_agent(wait=False)
    online = desktop.wait_until(lambda: ": online" in desktop.feedbell("status"), 120, "online")
    within(60, online - desktop.started, "online")
    within(60, max(desktop.popup_after(120) for _ in range(5)), "the slowest of five popups")


ALL = {
    "given-up": (given_up, True),
    "slow": (slow, False),
    "slower": (slower, False),
    "address": (address, True),
    "default-route": (default_route, True),
    "late-route": (late_route, True),
    "far": (far, False),
    "lossy": (lossy, True),
    "rested": (rested, False),
    "forgetful": (forgetful, False),
}


def main():
    run("ip", "link", "set", "lo", "up")
    run("nft", "add", "table", "inet", "feedbell")
    run("nft", "add", "chain", "inet", "feedbell", "out", "{ type filter hook output priority 0 ; }")
    body, direct = ALL[SCENE]
    print(f"== {SERVICE}: {body.__doc__}", flush=True)
    desktop = Desktop(SERVICE, direct, "localhost" if SCENE == "late-route" else "127.0.0.1")
    try:
        body(desktop)
    except Failure as failure:
        print(f"   FAILED: {failure}", flush=True)
        log = os.environ.get("FEEDBELL_TEST_ARTIFACTS")
        if log and hasattr(desktop, "errors"):
            shutil.copy(desktop.errors.name, f"{log}/network-{SCENE}-{SERVICE}.log")
        sys.exit(1)
    finally:
        desktop.close()


main()
