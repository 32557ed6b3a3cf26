import AgentInterface
import DBus
import VisibleText

/// The notification server's description of itself.
struct NotificationServerFacts: Equatable {
    var name = ""
    var vendor = ""
    var version = ""
    var specification = ""
    var capabilities: Set<String> = []
    /// Whether the server holds popups back now; nil: unknown.
    var isInhibited: Bool?
    /// The error if it did not answer.
    var error: DBusError?

    var findings: [Finding] {
        if let error { return [missing(error)] }
        let values = [
            "server": "\(name) \(version)", "vendor": vendor, "specification": specification,
        ]
        let sentence =
            vendor.isEmpty
            ? translated("{server} shows popups (specification {specification}).", values)
            : translated("{server} of {vendor} shows popups (specification {specification}).", values)
        return [Finding(.notifications, .ok, sentence)] + capabilityFindings + [inhibition].compactMap(\.self)
    }

    private func missing(_ error: DBusError) -> Finding {
        let isAbsent = [.serviceUnknown, .nameHasNoOwner].contains(error.name)
        let isBroken = error.name.text.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
        let sentence =
            isAbsent
            ? translated("No notification server is running: popups cannot be shown.")
            : isBroken
                ? translated(
                    "No notification server is running, and the installed one cannot be started: {reason}",
                    ["reason": error.message]
                )
                : translated("The notification server does not answer: {reason}", ["reason": error.message])
        let remedy =
            isAbsent || isBroken
            ? translated("Install one, such as dunst or mako, and start it with the session. Desktops include one.")
            : translated("Restart it.")
        return Finding(.notifications, .problem, sentence, remedy: remedy)
    }

    /// Missing capabilities that matter to the user.
    private var capabilityFindings: [Finding] {
        var findings: [Finding] = []
        if !capabilities.contains("actions") {
            let sentence = translated("It does not support actions: a click on a popup cannot open a link.")
            let remedy = translated(
                "Open links with feedbell open, or use another server, such as dunst or mako."
            )
            findings.append(Finding(.notifications, .warning, sentence, remedy: remedy))
        }
        if !capabilities.contains("body") {
            let sentence = translated("It shows only titles, no body text.")
            let remedy = translated(
                "Read the rest with feedbell show, or use another server, such as dunst or mako."
            )
            findings.append(Finding(.notifications, .warning, sentence, remedy: remedy))
        }
        if !capabilities.contains("body-markup") {
            let sentence = translated("It shows plain text, without bold and italics.")
            findings.append(Finding(.notifications, .ok, sentence))
        }
        if !capabilities.contains("persistence") {
            let sentence = translated("It may discard popups that you miss; feedbell list shows them.")
            findings.append(Finding(.notifications, .ok, sentence))
        }
        return findings
    }

    private var inhibition: Finding? {
        guard isInhibited == true else { return nil }
        let sentence = translated("It holds popups back now (\"do not disturb\").")
        let remedy = translated("Switch off \"do not disturb\" in your desktop's settings.")
        return Finding(.notifications, .warning, sentence, remedy: remedy)
    }

    /// Advice for a server that has reached its limit of popups.
    static var clearing: String { translated("Clear its list of notifications, or restart it.") }
}

extension NotificationServerFacts {
    /// Queries the server. D-Bus may activate one.
    static func gather(_ bus: Bus) async -> NotificationServerFacts {
        let server = Proxy(bus, FreedesktopNotifications.busName, FreedesktopNotifications.path)
        var facts = NotificationServerFacts()
        do throws(DBusError) {
            (facts.name, facts.vendor, facts.version, facts.specification) = FreedesktopNotifications.ordered(
                try await server.call(FreedesktopNotifications.getServerInformation, timeout: AgentFacts.deadline)
            )
            facts.capabilities = Set(
                try await server.call(FreedesktopNotifications.getCapabilities, timeout: AgentFacts.deadline)
            )
        } catch {
            facts.error = error
            return facts
        }
        // Plasma has a property in the specification's interface, dunst in a separate interface.
        let property =
            facts.name == "dunst"
            ? ("org.dunstproject.cmd0", "paused") : (FreedesktopNotifications.name.text, "Inhibited")
        let value = try? await server.call(
            PropertiesInterface.get,
            property.0,
            property.1,
            timeout: AgentFacts.deadline,
            autoStart: false
        )
        if case .bool(let isInhibited)? = value { facts.isInhibited = isInhibited }
        return facts
    }
}
