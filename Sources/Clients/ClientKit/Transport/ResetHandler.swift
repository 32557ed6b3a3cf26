import NIOCore

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Ends a connection so that nothing more of it is delivered. The first handler of a channel, next to the socket.
///
/// After a plain close the system goes on repeating what the other side has not confirmed, for minutes: a request that
/// was given up in an outage would arrive after newer ones. If SO_LINGER is on with a time of 0, the system discards it
/// and sends a reset (socket(7); RFC 9293 §3.10.4).
final class ResetHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    fileprivate func reset() {
        guard let context else { return }
        (context.channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
            .assumeIsolated().whenComplete { _ in
                // From here the end does not pass the TLS handler, which would wait for the other side.
                self.context?.close(promise: nil)
            }
    }
}

extension ChannelPipeline.SynchronousOperations {
    /// Ends the connection at once, without delivering anything more. Nothing happens if it has ended.
    func reset() { try? handler(type: ResetHandler.self).reset() }
}
