import AgentInterface
import DBus

/// The outcome of a test popup.
enum TestPopup: Equatable {
    case clicked
    /// Closed without a click, with the reason of the Desktop Notifications specification.
    case closed(reason: UInt32)
    /// Neither a click nor a close within ``timeout``.
    case silence
    case failed(DBusError)

    /// The time limit for a click.
    static let timeout = Duration.seconds(30)

    /// - Parameter server: The server's name, as it gives it.
    func finding(server: String) -> Finding {
        switch self {
        case .clicked:
            return Finding(.popup, .ok, "The test popup was shown, and your click arrived.")
        case .closed(2):
            let sentence = "The test popup was shown and closed without a click."
            return Finding(.popup, .warning, sentence, remedy: "If you did click: \(Self.click(server))")
        case .closed(1):
            return Finding(
                .popup,
                .warning,
                "The test popup expired without a click.",
                remedy: Self.click(server)
            )
        case .closed:
            let remedy = "If \"do not disturb\" is on, switch it off and retry."
            return Finding(.popup, .warning, "The notification server removed the test popup.", remedy: remedy)
        case .silence:
            let sentence = "The test popup was not clicked for \(Self.timeout.components.seconds) seconds."
            let remedy = "If there was no popup, \"do not disturb\" may be on. If you did click: \(Self.click(server))"
            return Finding(.popup, .warning, sentence, remedy: remedy)
        case .failed(let error) where error.name == "org.freedesktop.Notifications.MaxNotificationsExceeded":
            let sentence = "The test popup was rejected: the notification server has reached its limit."
            let remedy = "Clear its list of notifications, or restart it."
            return Finding(.popup, .problem, sentence, remedy: remedy)
        case .failed(let error):
            let sentence = "The test popup could not be shown: \(error.message)"
            return Finding(.popup, .problem, sentence, remedy: "See the findings about the notification server.")
        }
    }

    /// How to click with this server.
    private static func click(_ server: String) -> String {
        switch server {
        case "dunst":
            "With dunst's default settings the middle button clicks and the left one closes: "
                + "set mouse_left_click = do_action, close_current in dunstrc."
        case "Xfce Notify Daemon", "lxqt-notificationd": "Click the button in the popup, not the popup itself."
        default: "Click the popup itself, with the left button."
        }
    }
}

extension TestPopup {
    /// Shows the popup and waits for a click or its end.
    ///
    /// - Parameter shown: Called when the popup is shown.
    static func post(_ bus: Bus, shown: () -> Void) async -> TestPopup {
        let server = Proxy(bus, FreedesktopNotifications.busName, FreedesktopNotifications.path)
        do throws(DBusError) {
            let signals = try await server.signals(of: FreedesktopNotifications.self)
            let id = try await server.call(
                FreedesktopNotifications.notify,
                "Feedbell",
                0,
                "org.feedbell.Agent",
                "Feedbell test",
                "Click me.",
                ["default", "Click me"],
                ["desktop-entry": Value.string("org.feedbell.Agent")],
                Int32(timeout.components.seconds * 1000),
                timeout: AgentFacts.deadline
            )
            shown()
            let end = await end(of: id, signals)
            if end == .silence {
                _ = try? await server.call(
                    FreedesktopNotifications.closeNotification,
                    id,
                    timeout: AgentFacts.deadline,
                    autoStart: false
                )
            }
            return end
        } catch {
            return .failed(error)
        }
    }

    private static func end(of id: UInt32, _ signals: AsyncStream<Message>) async -> TestPopup {
        await withTaskGroup(of: TestPopup.self) { group in
            group.addTask {
                for await message in signals {
                    // Invalid signals are ignored.
                    if let (clicked, _) = try? FreedesktopNotifications.actionInvoked.decode(message), clicked == id {
                        return .clicked
                    }
                    if let (closed, reason) = try? FreedesktopNotifications.notificationClosed.decode(message),
                        closed == id
                    {
                        return .closed(reason: reason)
                    }
                }
                return .failed(DBusError(.disconnected, "The connection to the bus was lost."))
            }
            group.addTask {
                try? await Task.sleep(for: timeout)
                return .silence
            }
            defer { group.cancelAll() }
            return await group.next() ?? .silence
        }
    }
}
