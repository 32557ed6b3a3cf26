package import DBus
package import Logging
import Subprocess

/// Hands an address to the program the person uses for it, together with the right to take the focus.
///
/// The ways, in this order (desktop-notifications.md §4): the desktop portal, which works from anywhere; a transient unit of
/// the user's service manager with `xdg-open` in it, so that a browser does not live and die with the agent; `xdg-open` in a
/// session of its own.
package struct URLOpener: Sendable {
    /// The way an address took.
    package enum Way: String, Sendable {
        case portal
        case transientUnit = "transient unit"
        case process
    }

    /// Why no way worked.
    package struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
        package var description: String
    }

    /// A portal or a service manager that does not answer within this time does not open addresses.
    private static let deadline = Duration.seconds(10)

    /// Wayland's name and X11's. Where there is no token they are removed: an inherited one is stale.
    private static let tokenVariables = ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"]

    private let bus: Bus
    private let program: String
    private let logger: Logger

    /// - Parameter program: What opens addresses where there is no portal, found along `PATH`.
    package init(bus: Bus, program: String = "xdg-open", logger: Logger) {
        self.bus = bus
        self.program = program
        self.logger = logger
    }

    /// Opens an address that was found fit to be opened.
    ///
    /// - Parameters:
    ///   - url: An absolute address of an allowed scheme.
    ///   - token: The activation token of the click: `activation_token`, `XDG_ACTIVATION_TOKEN`, `DESKTOP_STARTUP_ID`.
    /// - Throws: If every way failed.
    package func open(_ url: String, token: String?) async throws(Failure) -> Way {
        do {
            try await openByPortal(url, token: token)
            return .portal
        } catch {
            logger.debug("the portal does not open addresses", metadata: ["error": "\(error)"])
        }
        do {
            try await openInUnit(url, token: token)
            return .transientUnit
        } catch {
            logger.debug("the service manager does not open addresses", metadata: ["error": "\(error)"])
        }
        try await openInProcess(url, token: token)
        return .process
    }

    private func openByPortal(_ url: String, token: String?) async throws(DBusError) {
        let options = token.map { ["activation_token": Value.string($0)] } ?? [:]
        try await Proxy(bus, OpenURIPortal.busName, OpenURIPortal.path)
            .call(OpenURIPortal.openURI, "", url, options, timeout: Self.deadline)
    }

    private func openInUnit(_ url: String, token: String?) async throws(DBusError) {
        // The service manager replaces "$$" by "$" and variables by their values (systemd.service(5)). Specifiers ("%") it replaces
        // in unit files only.
        let arguments = ["env", program, url].map { $0.replacing("$", with: "$$") }
        let command = SystemdManager.Command("/usr/bin/env", arguments, false)
        let properties: [SystemdManager.UnitProperty] = [
            Structure("Description", .string("Feedbell opens an address")),
            Structure("Type", .string("exec")),
            Structure("CollectMode", .string("inactive-or-failed")),
            Structure("Slice", .string("app.slice")),
            Structure("Environment", Value(token.map { token in Self.tokenVariables.map { "\($0)=\(token)" } } ?? [])),
            Structure("ExecStart", Value([command])),
        ]
        let name = "app-org.feedbell.Agent-\(String(UInt64.random(in: 0 ... .max), radix: 16)).service"
        try await Proxy(bus, SystemdManager.busName, SystemdManager.path)
            .call(
                SystemdManager.startTransientUnit,
                name,
                "fail",
                properties,
                [],
                timeout: Self.deadline,
                autoStart: false
            )
    }

    /// `setsid --fork` puts the opener into a session of its own and leaves it there: a browser must outlive the agent, and
    /// some openers return only when the browser ends.
    private func openInProcess(_ url: String, token: String?) async throws(Failure) {
        let missing = Failure(description: "\(program) was not found. Install xdg-utils or a desktop portal.")
        guard (try? await Executable.name(program).resolveExecutablePath(in: .inherit)) != nil else { throw missing }
        var inherited = Environment.inherit
        for name in Self.tokenVariables { inherited = inherited.updating([.init(stringLiteral: name): token]) }
        let result = try? await run(
            .name("setsid"),
            arguments: ["--fork", program, url],
            environment: inherited,
            output: .discarded
        )
        guard result?.terminationStatus.isSuccess == true else {
            throw Failure(description: "\(program) could not be started.")
        }
    }
}
