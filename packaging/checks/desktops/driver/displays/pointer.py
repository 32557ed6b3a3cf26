# A click by VNC: pointer.py SOCKET BUTTON X Y
import socket, struct, sys, time
path, button, x, y = sys.argv[1], *map(int, sys.argv[2:])
vnc = socket.socket(socket.AF_UNIX)
vnc.connect(path)
def read(count):
    data = b""
    while len(data) < count: data += vnc.recv(count - len(data)) or sys.exit("the connection ended")
    return data
read(12); vnc.sendall(b"RFB 003.008\n"); read(read(1)[0]); vnc.sendall(b"\1"); read(4); vnc.sendall(b"\1")
read(20); read(struct.unpack(">I", read(4))[0])
def event(mask, x, y, wait): vnc.sendall(struct.pack(">BBHH", 5, mask, x, y)); time.sleep(wait)
event(0, x - 3, y - 3, .1); event(0, x, y, .3); event(1 << (button - 1), x, y, .05); event(0, x, y, .3)
