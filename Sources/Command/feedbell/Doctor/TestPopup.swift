import AgentInterface
import DBus
import VisibleText

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
            return Finding(.popup, .ok, translated("The test popup was shown, and your click arrived."))
        // The close button of Cinnamon reports no reason.
        case .closed(let reason) where reason == 2 || reason == 0 && server == "cinnamon":
            let sentence = translated("The test popup was shown and closed without a click.")
            let remedy = translated("If you did click: {advice}", ["advice": Self.click(server)])
            return Finding(.popup, .warning, sentence, remedy: remedy)
        case .closed(1):
            return Finding(
                .popup,
                .warning,
                translated("The test popup expired without a click."),
                remedy: Self.click(server)
            )
        case .closed:
            let sentence = translated("The notification server removed the test popup.")
            let remedy = translated("If \"do not disturb\" is on, switch it off and retry.")
            return Finding(.popup, .warning, sentence, remedy: remedy)
        case .silence:
            let sentence = translated(
                "The test popup was not clicked for {seconds} s.",
                ["seconds": "\(Self.timeout.components.seconds)"]
            )
            let remedy = translated(
                "If there was no popup, \"do not disturb\" may be on. If you did click: {advice}",
                ["advice": Self.click(server)]
            )
            return Finding(.popup, .warning, sentence, remedy: remedy)
        case .failed(let error) where error.name == "org.freedesktop.Notifications.MaxNotificationsExceeded":
            let sentence = translated("The test popup was rejected: the notification server has reached its limit.")
            return Finding(.popup, .problem, sentence, remedy: NotificationServerFacts.clearing)
        case .failed(let error):
            let sentence = translated("The test popup could not be shown: {reason}", ["reason": error.message])
            let remedy = translated("See the findings about the notification server.")
            return Finding(.popup, .problem, sentence, remedy: remedy)
        }
    }

    /// How to click with this server.
    private static func click(_ server: String) -> String {
        switch server {
        case "dunst":
            translated(
                "With dunst's default settings the middle button clicks and the left one closes: "
                    + "set mouse_left_click = do_action, close_current in dunstrc."
            )
        case "Xfce Notify Daemon", "lxqt-notificationd":
            translated("Click the button in the popup, not the popup itself.")
        default: translated("Click the popup itself, with the left button.")
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
                translated("Feedbell test"),
                translated("Click me."),
                ["default", translated("Click me")],
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
                return .failed(DBusError(.disconnected, translated("The connection to the session bus ended.")))
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
