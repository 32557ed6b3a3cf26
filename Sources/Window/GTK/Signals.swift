import CAdwaita

// Handlers are closures of the main actor. GTK owns each until its object ends or it is disconnected. A handler gets
// its data first (G_CONNECT_SWAPPED), then the signal's arguments: it may ignore the last ones.

/// A closure as the data of a signal.
private final class Handler<Body>: Sendable {
    nonisolated(unsafe) let body: Body

    init(_ body: Body) { self.body = body }
}

/// A connection of a handler to an object.
package struct SignalConnection {
    fileprivate let id: gulong
}

extension Object {
    /// Calls `body` at each signal of this name.
    @discardableResult
    package func on(_ signal: String, _ body: @escaping () -> Void) -> SignalConnection {
        let callback: @convention(c) (UnsafeMutableRawPointer) -> Void = { data in
            handle(data, as: (() -> Void).self) { $0() }
        }
        return connect(signal, body, unsafeBitCast(callback, to: GCallback.self))
    }

    /// Calls `body` whenever a property changes.
    @discardableResult
    package func onChange(of property: String, _ body: @escaping () -> Void) -> SignalConnection {
        on("notify::" + property, body)
    }

    /// Signals with a number.
    @discardableResult
    func onNumber(_ signal: String, _ body: @escaping (UInt32) -> Void) -> SignalConnection {
        let callback: @convention(c) (UnsafeMutableRawPointer, guint) -> Void = { data, number in
            handle(data, as: ((UInt32) -> Void).self) { $0(number) }
        }
        return connect(signal, body, unsafeBitCast(callback, to: GCallback.self))
    }

    /// Signals with an object.
    @discardableResult
    func onObject(_ signal: String, _ body: @escaping (UnsafeMutableRawPointer) -> Void) -> SignalConnection {
        let callback: @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer?) -> Void = { data, object in
            guard let object else { return }
            nonisolated(unsafe) let shared = object
            handle(data, as: ((UnsafeMutableRawPointer) -> Void).self) { $0(shared) }
        }
        return connect(signal, body, unsafeBitCast(callback, to: GCallback.self))
    }

    /// Signals with a text.
    @discardableResult
    func onText(_ signal: String, _ body: @escaping (String) -> Void) -> SignalConnection {
        let callback: @convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>?) -> Void = { data, text in
            let text = text.map { String(cString: $0) } ?? ""
            handle(data, as: ((String) -> Void).self) { $0(text) }
        }
        return connect(signal, body, unsafeBitCast(callback, to: GCallback.self))
    }

    /// Signals that ask whether the event was handled.
    @discardableResult
    func onRequest(_ signal: String, _ body: @escaping () -> Bool) -> SignalConnection {
        let callback: @convention(c) (UnsafeMutableRawPointer) -> gboolean = { data in
            handle(data, as: (() -> Bool).self) { $0() } ? 1 : 0
        }
        return connect(signal, body, unsafeBitCast(callback, to: GCallback.self))
    }

    /// Signals with a text that ask whether the event was handled.
    @discardableResult
    func onTextQuestion(_ signal: String, _ body: @escaping (String) -> Bool) -> SignalConnection {
        let callback: @convention(c) (UnsafeMutableRawPointer, UnsafePointer<CChar>?) -> gboolean = { data, text in
            let text = text.map { String(cString: $0) } ?? ""
            return handle(data, as: ((String) -> Bool).self) { $0(text) } ? 1 : 0
        }
        return connect(signal, body, unsafeBitCast(callback, to: GCallback.self))
    }

    /// Presses of keys: the key, and the modifiers.
    @discardableResult
    func onKey(_ signal: String, _ body: @escaping (UInt32, GdkModifierType) -> Bool) -> SignalConnection {
        let callback: @convention(c) (UnsafeMutableRawPointer, guint, guint, GdkModifierType) -> gboolean = {
            data,
            key,
            _,
            modifiers in
            handle(data, as: ((UInt32, GdkModifierType) -> Bool).self) { $0(key, modifiers) } ? 1 : 0
        }
        return connect(signal, body, unsafeBitCast(callback, to: GCallback.self))
    }

    /// Presses of the pointer: their number, and the place.
    @discardableResult
    func onPress(_ signal: String, _ body: @escaping (Int, Double, Double) -> Void) -> SignalConnection {
        let callback: @convention(c) (UnsafeMutableRawPointer, gint, Double, Double) -> Void = { data, count, x, y in
            handle(data, as: ((Int, Double, Double) -> Void).self) { $0(Int(count), x, y) }
        }
        return connect(signal, body, unsafeBitCast(callback, to: GCallback.self))
    }

    /// Presses that last: the place.
    @discardableResult
    func onPoint(_ signal: String, _ body: @escaping (Double, Double) -> Void) -> SignalConnection {
        let callback: @convention(c) (UnsafeMutableRawPointer, Double, Double) -> Void = { data, x, y in
            handle(data, as: ((Double, Double) -> Void).self) { $0(x, y) }
        }
        return connect(signal, body, unsafeBitCast(callback, to: GCallback.self))
    }

    /// Questions for the text of a tooltip; empty: there is none.
    @discardableResult
    func onTooltip(_ signal: String, _ body: @escaping () -> String) -> SignalConnection {
        let callback: @convention(c) (UnsafeMutableRawPointer, gint, gint, gboolean, OpaquePointer?) -> gboolean = {
            data,
            _,
            _,
            _,
            tooltip in
            let text = handle(data, as: (() -> String).self) { $0() }
            gtk_tooltip_set_text(tooltip, text)
            return text.isEmpty ? 0 : 1
        }
        return connect(signal, body, unsafeBitCast(callback, to: GCallback.self))
    }

    /// Ends a connection, and releases its handler.
    package func disconnect(_ connection: SignalConnection) { g_signal_handler_disconnect(pointer, connection.id) }

    private func connect<Body>(_ signal: String, _ body: Body, _ callback: @escaping GCallback) -> SignalConnection {
        let data = Unmanaged.passRetained(Handler(body)).toOpaque()
        let id = g_signal_connect_data(pointer, signal, callback, data, release, G_CONNECT_SWAPPED)
        precondition(id != 0, "there is no signal \(signal)")
        return SignalConnection(id: id)
    }
}

/// GTK calls on the main thread only.
private nonisolated func handle<Body, Result: Sendable>(
    _ data: UnsafeMutableRawPointer,
    as type: Body.Type,
    _ call: @MainActor (Body) -> Result
) -> Result {
    let handler = Unmanaged<Handler<Body>>.fromOpaque(data).takeUnretainedValue()
    return MainActor.assumeIsolated { call(handler.body) }
}

/// Handlers of every type are released in the same way.
private let release: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<GClosure>?) -> Void = { data, _ in
    if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
}
