import ChildProgram
package import DBus
package import Logging

/// Opens a URL in the user's preferred program and passes on the activation token, so that the program can take the
/// focus.
///
/// The methods, in this order: the desktop portal, which also works in a sandbox; `xdg-open` in a transient unit of the
/// user's service manager, so that a browser does not end with the agent; `xdg-open` in a process session of its own.
package struct URLOpener: Sendable {
    /// How a URL was opened.
    package enum Method: String, Sendable {
        case portal
        case transientUnit = "transient unit"
        case process
    }

    /// Every method failed.
    package struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
        package var description: String
    }

    /// The timeout of a call to the portal or to the service manager.
    private static let deadline = Duration.seconds(10)

    /// The variables of Wayland and X11. Without a token they are removed: an inherited token is stale.
    private static let tokenVariables = ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"]

    private let bus: Bus
    private let program: String
    private let logger: Logger

    /// - Parameter program: Opens URLs where there is no portal; looked up in `PATH`.
    package init(bus: Bus, program: String = "xdg-open", logger: Logger) {
        self.bus = bus
        self.program = program
        self.logger = logger
    }

    /// Opens a URL. The caller has checked that it may be opened.
    ///
    /// - Parameters:
    ///   - url: An absolute URL with an allowed scheme.
    ///   - token: The activation token of the click: `activation_token`, `XDG_ACTIVATION_TOKEN`, `DESKTOP_STARTUP_ID`.
    /// - Throws: If every method failed.
    package func open(_ url: String, token: String?) async throws(Failure) -> Method {
        do {
            try await openByPortal(url, token: token)
            return .portal
        } catch {
            logger.debug("the portal cannot open the URL", metadata: ["error": "\(error)"])
        }
        do {
            try await openInUnit(url, token: token)
            return .transientUnit
        } catch {
            logger.debug("the service manager cannot open the URL", metadata: ["error": "\(error)"])
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
        // The service manager replaces "$$" by "$" and variables by their values (systemd.service(5)); it replaces
        // specifiers ("%") in unit files only.
        let arguments = ["env", program, url].map { $0.replacing("$", with: "$$") }
        let command = SystemdManager.Command("/usr/bin/env", arguments, false)
        let properties: [SystemdManager.UnitProperty] = [
            Structure("Description", .string("Link opened by Feedbell")),
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

    /// `setsid --fork` starts the opener in a process session of its own and does not wait: a browser must outlive the
    /// agent, and some openers return only when the browser ends.
    private func openInProcess(_ url: String, token: String?) async throws(Failure) {
        guard ChildProgram.isInstalled(program) else {
            throw Failure(description: "Cannot find \(program). Install xdg-utils or a desktop portal.")
        }
        let variables = Dictionary(uniqueKeysWithValues: Self.tokenVariables.map { ($0, token) })
        let end = try? await ChildProgram(["setsid", "--fork", program, url], environment: variables).run()
        guard end?.status == .exited(0) else {
            throw Failure(description: "Cannot start \(program).")
        }
    }
}
