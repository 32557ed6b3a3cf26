import AgentInterface
import DBus

/// The window, which the bus starts where it is installed.
struct WindowOnBus {
    let bus: Bus

    /// - Parameter action: What it shows; nil: its list as it is.
    func open(_ action: WindowAction? = nil, token: String?) async throws(DBusError) {
        // GTK 4.8 knows both names of a token.
        let data = token.map { ["activation-token": Value.string($0), "desktop-startup-id": .string($0)] } ?? [:]
        let window = Proxy(bus, AgentNames.windowName, AgentNames.windowPath)
        if let action {
            try await window.call(DesktopApplication.activateAction, action.name, [action.parameter], data)
        } else {
            try await window.call(DesktopApplication.activate, data)
        }
    }
}
