"""Gives SuprSend user tokens to those who have signed in at the company's authorization server.

An example of what token_url has to answer; see "SIGN-IN WITH THE BROWSER" in feedbell.toml(5). Run it behind https. It
needs the package cryptography, prints its port, and has these settings in its environment:

PORT                  of this computer; without it one that is free
INTROSPECTION_URL     of the authorization server (RFC 7662), with the name and the password of a client there that may
INTROSPECTION_CLIENT  ask it: NAME:PASSWORD
SIGNING_KEY           the file with the signing key of the workspace, in PEM
DOMAIN                NAME@DOMAIN is the id of the user NAME in the workspace, and the account's distinct_id
"""
import base64, http.server, json, os, time, urllib.parse, urllib.request

from cryptography.hazmat.primitives.asymmetric.ec import ECDSA
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_private_key

with open(os.environ["SIGNING_KEY"], "rb") as file:
    key = load_pem_private_key(file.read(), None)


def user_of(access_token):
    """The name of the person whom an access token of Feedbell belongs to; None: it is no such token."""
    client = base64.b64encode(os.environ["INTROSPECTION_CLIENT"].encode()).decode()
    data = urllib.parse.urlencode({"token": access_token}).encode()
    request = urllib.request.Request(os.environ["INTROSPECTION_URL"], data, {"Authorization": f"Basic {client}"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        facts = json.load(answer)
    # A token that another program was given must not open the inbox.
    return facts.get("username") if facts.get("active") and facts.get("client_id") == "feedbell" else None


def part(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def user_token(user):
    """A JWT, signed with ES256 (RFC 7515)."""
    now = int(time.time())
    user_id = f"{user}@{os.environ['DOMAIN']}"
    claims = {"entity_type": "subscriber", "entity_id": user_id, "iat": now, "exp": now + 3600}
    text = b".".join(part(json.dumps(value).encode()) for value in [{"alg": "ES256", "typ": "JWT"}, claims])
    signature = b"".join(number.to_bytes(32, "big") for number in decode_dss_signature(key.sign(text, ECDSA(SHA256()))))
    return (text + b"." + part(signature)).decode()


class Backend(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        scheme, _, token = self.headers.get("Authorization", "").partition(" ")
        try:
            user = user_of(token) if scheme.lower() == "bearer" and token else None
        except (OSError, ValueError):
            return self.answer(503)  # The authorization server does not answer.
        if user is None:
            return self.answer(401)
        # Whoever may not use the inbox gets 403 here.
        self.answer(200, json.dumps({"token": user_token(user)}).encode())

    def answer(self, status, body=b""):
        self.send_response(status)
        headers = {"Content-Type": "application/json", "Cache-Control": "no-store", "Content-Length": str(len(body))}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


server = http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "0"))), Backend)
print(server.server_port, flush=True)
server.serve_forever()
