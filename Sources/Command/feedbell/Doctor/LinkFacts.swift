import AgentInterface
import DBus
import FoundationEssentials
import ProgramKit
import VisibleText

/// Whether the links of notifications can be opened: the display, the portal and the programs.
struct LinkFacts: Equatable {
    /// Whether the agent or the user's service manager knows a display.
    var hasDisplay = false
    /// Whether there is a desktop portal.
    var hasPortal = false
    /// Whether `xdg-open` is installed.
    var hasOpener = false
    /// Whether a program for web links is known.
    var hasBrowser = false

    private static let opener = "xdg-open"
    private static let portal = "org.freedesktop.portal.Desktop"

    var finding: Finding {
        guard hasDisplay else {
            return warning(
                translated("There is no display: neither WAYLAND_DISPLAY nor DISPLAY is set."),
                translated("Run the agent in a desktop session. Without a display, clicks open no links.")
            )
        }
        guard hasPortal || hasOpener else {
            return warning(
                translated(
                    "Nothing opens links: there is neither a desktop portal nor {program}.",
                    ["program": Self.opener]
                ),
                translated("Install xdg-utils or a desktop portal.")
            )
        }
        guard hasBrowser else {
            return warning(
                translated("No program is known that opens web links."),
                translated("Install a browser, or choose one in the settings of the desktop.")
            )
        }
        let sentence =
            hasPortal
            ? translated("The desktop portal opens links.")
            : translated("{program} opens links.", ["program": Self.opener])
        return Finding(.links, .ok, sentence)
    }

    private func warning(_ sentence: String, _ remedy: String) -> Finding {
        Finding(.links, .warning, sentence, remedy: remedy)
    }

    /// Starts no portal.
    static func gather(_ bus: Bus) async -> LinkFacts {
        var facts = LinkFacts()
        let daemon = Proxy(bus, .bus, BusInterface.path)
        let names = ["WAYLAND_DISPLAY", "DISPLAY"]
        let environment = await AgentProcess.find(bus)?.environment ?? ProcessInfo.processInfo.environment
        facts.hasDisplay = names.contains { environment[$0]?.isEmpty == false }
        if !facts.hasDisplay {
            let variables = try? await Proxy(bus, SystemdManager.busName, SystemdManager.path)
                .get(SystemdManager.variables, timeout: AgentFacts.deadline, autoStart: false)
            facts.hasDisplay = variables?.contains { line in names.contains { line.hasPrefix("\($0)=") } } ?? false
        }
        for method in [BusInterface.listNames, BusInterface.listActivatableNames] {
            let known = try? await daemon.call(method, timeout: AgentFacts.deadline)
            if known?.contains(portal) == true { facts.hasPortal = true }
        }
        facts.hasOpener = ChildProgram.isInstalled(opener)
        facts.hasBrowser = if environment["BROWSER"] != nil { true } else { await hasBrowser() }
        return facts
    }

    private static func hasBrowser() async -> Bool {
        if ChildProgram.isInstalled("x-www-browser") { return true }
        let query = ChildProgram(["xdg-mime", "query", "default", "x-scheme-handler/https"], keepsOutput: true)
        // Without xdg-mime, a portal asks which program to use.
        guard let outcome = try? await query.run() else { return true }
        return !outcome.output.isEmpty
    }
}
