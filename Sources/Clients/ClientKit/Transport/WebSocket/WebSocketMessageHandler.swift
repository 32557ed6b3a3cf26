import NIOCore
import NIOWebSocket

/// The last handler of a WebSocket's pipeline: buffers messages until they are fetched, answers pings and closes.
/// Confined to the event loop.
///
/// The handler reads from the network only when its buffer is empty, so that a slow reader slows the server down.
final class WebSocketMessageHandler: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame
    typealias Waiter = EventLoopPromise<WebSocketMessage?>

    /// The timeout for the other side's close frame.
    private static let closeTimeout = TimeAmount.seconds(1)

    private enum State {
        case open
        /// Our close frame is sent; theirs is awaited.
        case closing
        /// Nil after an orderly close.
        case ended(TransportError?)
    }

    /// See ``WebSocketConnection/closeCode``.
    private(set) var closeCode: UInt16?

    private let host: String
    private var state = State.open
    private var messages = CircularBuffer<WebSocketMessage>()
    private var waiter: Waiter?
    private var isReadHeldBack = false
    /// Whether a ping of ours is unanswered.
    private var isPongAwaited = false
    /// Completes with the next frame.
    private var probes: [EventLoopPromise<Bool>] = []
    private var context: ChannelHandlerContext?

    init(host: String) {
        self.host = host
    }

    // MARK: From the connection

    /// Completes with the next message, or with nil or an error after the last one.
    func fetch(_ promise: Waiter) {
        if let message = messages.popFirst() {
            promise.succeed(message)
            readOn()
        } else if case .ended(let error) = state {
            if let error { promise.fail(error) } else { promise.succeed(nil) }
        } else {
            waiter = promise
        }
    }

    func send(_ text: String, _ promise: EventLoopPromise<Void>) {
        guard let context = openContext(orFail: promise) else { return }
        write(.text, context.channel.allocator.buffer(string: text), promise)
    }

    func ping(_ promise: EventLoopPromise<Void>) {
        guard openContext(orFail: promise) != nil else { return }
        isPongAwaited = true
        write(.ping, nil, promise)
    }

    /// Asks the other side for a sign of life, which may be any frame; without one it resets the connection. Completes
    /// with whether it is alive.
    func probe(timeout: TimeAmount) -> EventLoopFuture<Bool>? {
        guard case .open = state, let context else { return nil }
        let promise = context.eventLoop.makePromise(of: Bool.self)
        probes.append(promise)
        let channel = context.channel
        let timer = context.eventLoop.scheduleTask(in: timeout) { promise.succeed(false) }
        promise.futureResult.whenSuccess { isAlive in
            timer.cancel()
            if !isAlive { channel.pipeline.syncOperations.reset() }
        }
        write(.ping, nil)
        return promise.futureResult
    }

    private func endProbes(_ isAlive: Bool) {
        let ended = probes
        probes = []
        for probe in ended { probe.succeed(isAlive) }
    }

    private func openContext(orFail promise: EventLoopPromise<Void>) -> ChannelHandlerContext? {
        if case .open = state, let context { return context }
        if case .ended(let error?) = state {
            promise.fail(error)
        } else {
            promise.fail(TransportError(.closed(code: closeCode), "The connection to \(host) is closed."))
        }
        return nil
    }

    func close(code: UInt16) {
        guard case .open = state, let context else { return }
        write(.connectionClose, Self.closePayload(code, context))
        wait(for: context.channel)
    }

    // MARK: The pipeline

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let eventLoop = context.eventLoop.assumeIsolated()
        context.channel.closeFuture.assumeIsolated().whenComplete { _ in
            eventLoop.execute { self.channelClosed() }  // After the frames before the end.
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    func read(context: ChannelHandlerContext) {
        if messages.isEmpty { context.read() } else { isReadHeldBack = true }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !probes.isEmpty { endProbes(true) }
        if case .ended = state { return }
        let frame = Self.unwrapInboundIn(data)
        guard frame.maskKey == nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else {
            return fail(.protocolViolation, "sent a frame that servers must not send", closingWith: 1002)
        }
        switch frame.opcode {
        case .text:
            guard let text = String(validating: frame.data.readableBytesView, as: UTF8.self) else {
                return fail(.protocolViolation, "sent text that is not UTF-8", closingWith: 1007)
            }
            deliver(.text(text))
        case .binary:
            deliver(.binary(Array(frame.data.readableBytesView)))
        case .ping:
            // A peer that pings without reading our pongs gets no more of them until it reads.
            if context.channel.isWritable { write(.pong, frame.data) }
        case .pong where isPongAwaited:
            isPongAwaited = false
            deliver(.pong)
        case .connectionClose:
            closed(by: frame.data)
        default:
            break
        }
    }

    /// The connection is closed. It may have closed before this handler was added, so this is not `channelInactive`.
    private func channelClosed() {
        endProbes(false)
        switch state {
        case .open: end(TransportError(.closed(code: nil), "The connection to \(host) was lost."))
        case .closing: end(nil)
        case .ended: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOWebSocketError.invalidFrameLength, NIOWebSocketFrameAggregator.Error.accumulatedFrameSizeIsTooLarge,
            NIOWebSocketFrameAggregator.Error.tooManyFragments:
            fail(.tooLarge, "sent a message that is too long", closingWith: 1009)
        case is NIOWebSocketError, is NIOWebSocketFrameAggregator.Error:
            fail(.protocolViolation, "sent something that is not a WebSocket message", closingWith: 1002)
        default:
            end(TransportError(.closed(code: nil), "The connection to \(host) was lost."))
            context.close(promise: nil)
        }
    }

    // MARK: Parts

    private func deliver(_ message: WebSocketMessage) {
        guard case .open = state else { return }
        if let waiter {
            self.waiter = nil
            waiter.succeed(message)
        } else {
            messages.append(message)
        }
    }

    private func readOn() {
        guard messages.isEmpty, isReadHeldBack else { return }
        isReadHeldBack = false
        context?.read()
    }

    private func closed(by payload: ByteBuffer) {
        guard let context else { return }
        closeCode = payload.getInteger(at: payload.readerIndex)
        if case .open = state {
            write(.connectionClose, payload.getSlice(at: payload.readerIndex, length: min(2, payload.readableBytes)))
        }
        end(nil)
        context.close(promise: nil)
    }

    /// Ends the connection because the other side violated the protocol.
    private func fail(_ kind: TransportError.Kind, _ what: String, closingWith code: UInt16) {
        guard let context else { return }
        if case .open = state { write(.connectionClose, Self.closePayload(code, context)) }
        end(TransportError(kind, "\(host) \(what)."))
        context.close(promise: nil)
    }

    private func wait(for channel: any Channel) {
        state = .closing
        messages.removeAll()
        readOn()
        // In order it would wait for the other side's end of TLS, too, which does not come either.
        let deadline = channel.eventLoop.scheduleTask(in: Self.closeTimeout) {
            channel.pipeline.syncOperations.reset()
        }
        channel.closeFuture.whenComplete { _ in deadline.cancel() }
    }

    private func end(_ error: TransportError?) {
        if case .ended = state { return }
        state = .ended(error)
        guard let waiter else { return }
        self.waiter = nil
        fetch(waiter)
    }

    private func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer?, _ promise: EventLoopPromise<Void>? = nil) {
        guard let context else { return }
        let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data ?? ByteBuffer())
        context.writeAndFlush(Self.wrapOutboundOut(frame), promise: promise)
    }

    private static func closePayload(_ code: UInt16, _ context: ChannelHandlerContext) -> ByteBuffer {
        context.channel.allocator.buffer(integer: code)
    }
}
