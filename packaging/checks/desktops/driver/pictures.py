# A host of pictures on loopback, which answers after two seconds: pictures.py DIRECTORY
import http.server, sys, time
class Host(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        time.sleep(2)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(open(sys.argv[1] + "/avatar.png", "rb").read())
host = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Host)
with open(sys.argv[1] + "/picture-port", "w") as file: file.write(str(host.server_port))
host.serve_forever()
