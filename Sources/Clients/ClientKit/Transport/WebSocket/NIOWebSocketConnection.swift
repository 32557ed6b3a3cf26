import NIOCore

/// A ``WebSocketConnection`` to a ``WebSocketMessageHandler``.
struct NIOWebSocketConnection: WebSocketConnection {
    let host: String
    let channel: any Channel
    let handler: NIOLoopBound<WebSocketMessageHandler>

    func send(_ text: String) async throws(TransportError) {
        try await write { handler.value.send(text, $0) }
    }

    func ping() async throws(TransportError) {
        try await write { handler.value.ping($0) }
    }

    private func write(
        _ body: @escaping @Sendable (EventLoopPromise<Void>) -> Void
    ) async throws(TransportError) {
        let promise = channel.eventLoop.makePromise(of: Void.self)
        do {
            try await withTaskCancellationHandler {
                channel.eventLoop.execute { body(promise) }
                try await promise.futureResult.get()
            } onCancel: {
                promise.succeed()  // The frame is still sent.
            }
        } catch {
            throw (error as? TransportError)
                ?? TransportError(.closed(code: nil), "The connection to \(host) was lost.")
        }
    }

    func receive() async throws(TransportError) -> WebSocketMessage? {
        let promise = channel.eventLoop.makePromise(of: WebSocketMessage?.self)
        do {
            return try await withTaskCancellationHandler {
                channel.eventLoop.execute { handler.value.fetch(promise) }
                return try await promise.futureResult.get()
            } onCancel: {
                promise.fail(TransportError.cancelled(host: host))  // A message that arrives now is lost.
            }
        } catch {
            throw (error as? TransportError)
                ?? TransportError(.closed(code: nil), "The connection to \(host) was lost.")
        }
    }

    var closeCode: UInt16? {
        get async {
            try? await channel.eventLoop.submit { handler.value.closeCode }.get()
        }
    }

    func close(code: UInt16) async {
        channel.eventLoop.execute { handler.value.close(code: code) }
        try? await channel.closeFuture.get()
    }
}
