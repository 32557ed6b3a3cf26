import AgentInterface
import DBus

/// A popup for trying out: what became of it.
enum TestPopup: Equatable {
    case clicked
    /// Closed by its person, or by something else, without a click: the specification's reason.
    case closed(reason: UInt32)
    /// Neither came in time.
    case silence
    case failed(DBusError)

    /// How long a click is waited for.
    static let patience = Duration.seconds(30)

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
                "The test popup was gone before anybody clicked.",
                remedy: Self.click(server)
            )
        case .closed:
            let remedy = "Is \"do not disturb\" switched on? Then switch it off, and try again."
            return Finding(.popup, .warning, "The notification server took the test popup away.", remedy: remedy)
        case .silence:
            let sentence = "Nothing was heard of the test popup for \(Self.patience.components.seconds) seconds."
            let remedy = "If there was none, is \"do not disturb\" switched on? If you did click: \(Self.click(server))"
            return Finding(.popup, .warning, sentence, remedy: remedy)
        case .failed(let error) where error.name == "org.freedesktop.Notifications.MaxNotificationsExceeded":
            let sentence = "The test popup was refused: the notification server keeps as many as it can."
            let remedy = "Clear its list of notifications, or end it and start it anew."
            return Finding(.popup, .problem, sentence, remedy: remedy)
        case .failed(let error):
            let sentence = "The test popup could not be shown: \(error.message)"
            return Finding(.popup, .problem, sentence, remedy: "See what is said of the notification server.")
        }
    }

    /// How this server is clicked, which differs (desktop-notifications.md §2.3).
    private static func click(_ server: String) -> String {
        switch server {
        case "dunst":
            "In dunst as it comes, the middle button clicks and the left one closes: "
                + "set mouse_left_click = do_action, close_current in dunstrc."
        case "Xfce Notify Daemon", "lxqt-notificationd": "Click the button in the popup, not the popup itself."
        default: "Click the popup itself, with the left button."
        }
    }
}

extension TestPopup {
    /// Shows it and waits for its click or its end.
    ///
    /// - Parameter shown: Is called once it is there.
    static func post(_ bus: Bus, shown: () -> Void) async -> TestPopup {
        let server = Proxy(bus, FreedesktopNotifications.busName, FreedesktopNotifications.path)
        do throws(DBusError) {
            let signals = try await server.signals(of: FreedesktopNotifications.self)
            let id = try await server.call(
                FreedesktopNotifications.notify,
                "Feedbell",
                0,
                "preferences-system-notifications",
                "Feedbell test",
                "Click me.",
                ["default", "Click me"],
                ["desktop-entry": Value.string("org.feedbell.Agent")],
                Int32(patience.components.seconds * 1000),
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
                    // What a server sends that makes no sense is not about this popup.
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
                try? await Task.sleep(for: patience)
                return .silence
            }
            defer { group.cancelAll() }
            return await group.next() ?? .silence
        }
    }
}
