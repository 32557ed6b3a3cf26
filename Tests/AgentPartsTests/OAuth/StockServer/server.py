"""An authorization server (django-oauth-toolkit), a company's backend, and persons with a browser.

python server.py DIRECTORY

Prints its port, then answers commands, a JSON array a line, each with one line:

["visit", URL, USER, ALLOW]   USER opens URL in a new browser, and allows the sign-in or not: [STATUS, BODY] at the end
["enter", URL, CODE, USER, ALLOW]   USER enters CODE at URL in a new browser, and allows it or not: [STATUS, BODY]
["claims", OBJECT]            what the backend's tokens have besides: []
["revoke", USER]              ends the sign-ins of USER: []
["key", FILE, PUBLIC]         writes a new key for ES256 and its public part, in PEM: []
["verify", TOKEN, FILE]       the claims of a JWT, of whose key FILE has the public one in PEM: OBJECT
["introspection", STATUS]     the answer to the next question about a token: []
["user", NAME]                a user, whose password is NAME: []
["requests"]                  the paths of the requests since the last command: [PATH, …]
"""
import base64, html.parser, http.cookiejar, json, os, socketserver, sys, threading, time, urllib.error, urllib.parse
import urllib.request
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from jwcrypto import jwk, jwt


class Server(socketserver.ThreadingMixIn, WSGIServer):
    daemon_threads = True


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


paths = []
introspections = []


def application(environ, start_response):
    paths.append(environ["PATH_INFO"])
    if environ["PATH_INFO"] == "/o/introspect/" and introspections:
        start_response(f"{introspections.pop()} Fault", [("Content-Type", "application/json")])
        return [b'{"active": false}']
    return django_application(environ, start_response)


server = make_server("127.0.0.1", 0, application, server_class=Server, handler_class=Quiet)
base = f"http://127.0.0.1:{server.server_port}"
key = rsa.generate_private_key(65537, 2048).private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
)

from django.conf import settings

settings.configure(
    SECRET_KEY="test",
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    LOGIN_URL="/login/",
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": os.path.join(sys.argv[1], "server.sqlite"),
            "OPTIONS": {"timeout": 60},
        }
    },
    INSTALLED_APPS=[
        "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "oauth2_provider",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
    ],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "OPTIONS": {
                "context_processors": ["django.template.context_processors.request"],
                "loaders": [
                    (
                        "django.template.loaders.locmem.Loader",
                        {"login.html": "<form method=post>{% csrf_token %}{{ form }}<button>Log in</button></form>"},
                    ),
                    "django.template.loaders.app_directories.Loader",
                ],
            },
        }
    ],
    OAUTH2_PROVIDER={
        "OIDC_ENABLED": True,
        "OIDC_RSA_PRIVATE_KEY": key.decode(),
        "OIDC_ISS_ENDPOINT": base + "/o",
        "PKCE_REQUIRED": True,
        "SCOPES": {"openid": "", "inbox": "", "offline_access": ""},
        "DEFAULT_SCOPES": ["openid", "inbox"],
        "ACCESS_TOKEN_EXPIRE_SECONDS": 300,
        "REFRESH_TOKEN_EXPIRE_SECONDS": 600,
        "ROTATE_REFRESH_TOKEN": True,
        "DEVICE_FLOW_INTERVAL": 1,
        "OAUTH_DEVICE_VERIFICATION_URI": base + "/o/device/",
        "REFRESH_TOKEN_REUSE_PROTECTION": True,
    },
)
import django

django.setup()

from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.core.handlers.wsgi import WSGIHandler
from django.core.management import call_command
from django.http import HttpResponse, JsonResponse
from django.urls import include, path
from django.utils import timezone
from oauth2_provider.models import AccessToken, Application, RefreshToken
from oauth2_provider.views import OAuthServerMetadataView


more = {}


def token(request):
    """The backend: a user token for an access token."""
    scheme, _, text = request.headers.get("Authorization", "").partition(" ")
    access = AccessToken.objects.filter(token=text, expires__gt=timezone.now()).first()
    if scheme != "Bearer" or access is None:
        return HttpResponse(status=401)
    if access.user.username == "bob":
        return HttpResponse(status=403)

    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    claims = {"entity_type": "subscriber", "entity_id": access.user.username, "exp": int(time.time()) + 3600, **more}
    return JsonResponse({"token": f"{part({'alg': 'none'})}.{part(claims)}.c2ln"})


urlpatterns = [
    path("login/", LoginView.as_view(template_name="login.html")),
    path("o/", include("oauth2_provider.urls", namespace="oauth2_provider")),
    path(".well-known/oauth-authorization-server/o", OAuthServerMetadataView.as_view()),
    path("app/token", token),
]
django_application = WSGIHandler()
call_command("migrate", verbosity=0)
for name in ["anna", "bob"]:
    User.objects.create_user(name, password=name)
# A client may have one grant besides that of codes for devices.
Application.allows_grant_type = lambda self, *grants: (
    self.authorization_grant_type in grants or self.GRANT_DEVICE_CODE in grants
)
Application.objects.create(
    client_id="feedbell",
    client_type="public",
    authorization_grant_type="authorization-code",
    redirect_uris="http://127.0.0.1/callback",
    algorithm="RS256",
)
Application.objects.create(
    client_id="other",
    client_type="public",
    authorization_grant_type="authorization-code",
    redirect_uris="http://127.0.0.1/callback",
    algorithm="RS256",
)
Application.objects.create(
    client_id="backend",
    client_secret="secret",
    client_type="confidential",
    authorization_grant_type="client-credentials",
)


class Fields(html.parser.HTMLParser):
    """The hidden fields of a page's forms."""

    def __init__(self, text):
        super().__init__()
        self.values = {}
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "input" and attributes.get("type") == "hidden":
            self.values[attributes.get("name")] = attributes.get("value") or ""


def new_browser():
    """A function that loads a page: its status, its address and its text."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def load(address, data=None, referrer=None):
        request = urllib.request.Request(address, data and urllib.parse.urlencode(data).encode())
        if referrer:
            request.add_header("Referer", referrer)
        try:
            with browser.open(request, timeout=120) as answer:
                return answer.status, answer.url, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.url, error.read().decode()

    return load


def load_as(user, load, url):
    """Loads a page, after the login if it needs one."""
    status, url, text = load(url)
    if "/login/" in url:
        fields = Fields(text).values | {"username": user, "password": user}
        status, url, text = load(url, fields, url)
    return status, url, text


def visit(url, user, allow):
    load = new_browser()
    status, url, text = load_as(user, load, url)
    if "/o/authorize" in url and status == 200:
        fields = Fields(text).values | ({"allow": "Authorize"} if allow else {})
        status, url, text = load(url, fields, url)
    return [status, text]


def enter(url, code, user, allow):
    load = new_browser()
    status, url, text = load_as(user, load, url)
    for field in [{"user_code": code}, {"action": "accept" if allow else "deny"}]:
        status, url, text = load(url, Fields(text).values | field, url)
    return [status, text]


threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
for line in sys.stdin:
    name, *arguments = json.loads(line)
    if name == "visit":
        answer = visit(*arguments)
    elif name == "enter":
        answer = enter(*arguments)
    elif name == "revoke":
        AccessToken.objects.filter(user__username=arguments[0]).delete()
        RefreshToken.objects.filter(user__username=arguments[0]).delete()
        answer = []
    elif name == "claims":
        more, answer = arguments[0], []
    elif name == "introspection":
        introspections, answer = arguments, []
    elif name == "user":
        if not User.objects.filter(username=arguments[0]).exists():
            User.objects.create_user(arguments[0], password=arguments[0])
        answer = []
    elif name == "key":
        new = jwk.JWK.generate(kty="EC", crv="P-256")
        for file, isPrivate in zip(arguments, [True, False]):
            with open(file, "wb") as output:
                output.write(new.export_to_pem(private_key=isPrivate, password=None))
        answer = []
    elif name == "verify":
        with open(arguments[1], "rb") as file:
            public = jwk.JWK.from_pem(file.read())
        answer = json.loads(jwt.JWT(jwt=arguments[0], key=public, algs=["ES256"]).claims)
    else:
        answer, paths[:] = list(paths), []
    print(json.dumps(answer), flush=True)
