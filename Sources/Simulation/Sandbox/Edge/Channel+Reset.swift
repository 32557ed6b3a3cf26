import Glibc
import NIOCore

extension Channel {
    /// Ends the connection with RST instead of FIN: a linger time of zero.
    func reset() async throws {
        if let options = self as? any SocketOptionProvider {
            try await options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        }
        try await close().get()
    }
}
