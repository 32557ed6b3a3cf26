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

    /// The timeout of a call to the portal.
    private static let deadline = Duration.seconds(10)

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
        let opener = DetachedProgram(
            bus: bus,
            words: [program, url],
            description: "Link opened by Feedbell",
            token: token
        )
        do {
            try await opener.startInUnit()
            return .transientUnit
        } catch {
            logger.debug("the service manager cannot open the URL", metadata: ["error": "\(error)"])
        }
        try await openInProcess(opener)
        return .process
    }

    private func openByPortal(_ url: String, token: String?) async throws(DBusError) {
        let options = token.map { ["activation_token": Value.string($0)] } ?? [:]
        try await Proxy(bus, OpenURIPortal.busName, OpenURIPortal.path)
            .call(OpenURIPortal.openURI, "", url, options, timeout: Self.deadline)
    }

    /// A browser must outlive the agent.
    private func openInProcess(_ opener: DetachedProgram) async throws(Failure) {
        guard ChildProgram.isInstalled(program) else {
            throw Failure(description: "Cannot find \(program). Install xdg-utils or a desktop portal.")
        }
        guard await opener.startInProcess() else { throw Failure(description: "Cannot start \(program).") }
    }
}
