package import DBus
import FoundationEssentials
package import Logging
import ProgramKit

/// Opens a URL in the user's preferred program and passes on the activation token, so that the program can take the
/// focus.
///
/// The methods, in this order: the desktop portal, which also works in a sandbox; `xdg-open` in a transient unit of the
/// user's service manager, so that a browser does not end with the agent; `xdg-open` in a process session of its own.
/// The next one is used only if the one before has opened nothing and will not: a URL is opened once.
package struct URLOpener: Sendable {
    /// How a URL was opened.
    package enum Method: String, Sendable {
        case portal
        case transientUnit = "transient unit"
        case process
    }

    /// Every method failed.
    package enum Failure: Error, Sendable, Equatable {
        /// There is neither a portal nor this program.
        case noOpener(program: String)
        /// Neither Wayland nor X11 is known.
        case noDisplay
        /// The opener found no program for links of this scheme, or the program failed.
        case nothingOpens(scheme: String)
        /// The portal asked the user, who did not choose a program.
        case cancelledByUser
        /// The portal or the service manager was asked to open it, and there was no answer.
        case unanswered
    }

    /// The timeout of a call to the service manager.
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
    ///   - asked: Called when the portal has accepted the request: it may ask the user which program to use, so that it
    ///     takes as long as the user does.
    /// - Throws: If every method failed.
    package func open(
        _ url: String,
        token: String?,
        asked: @Sendable () -> Void = {}
    ) async throws(Failure) -> Method {
        switch await PortalOpener(bus: bus).open(url, token: token, asked: asked) {
        case .done: return .portal
        case .cancelledByUser: throw .cancelledByUser
        case .unanswered: throw .unanswered
        case .failed: logger.debug("the portal does not open the URL")
        }
        // Who waits for it has given up.
        if Task.isCancelled { throw .unanswered }
        let opener = DetachedProgram(
            bus: bus,
            words: [program, url],
            description: "Link opened by Feedbell",
            token: token
        )
        do {
            let status = await opener.exitStatus(ofUnit: try await opener.startInUnit(keepsStatus: true))
            try await check(status, of: url)
            return .transientUnit
        } catch let failure as Failure {
            throw failure
        } catch let error as DBusError where [.timeout, .noReply, .cancelled].contains(error.name) {
            throw .unanswered
        } catch {
            logger.debug("the service manager cannot open the URL", metadata: ["error": "\(error)"])
        }
        guard ChildProgram.isInstalled(program) else { throw .noOpener(program: program) }
        try await check(await opener.startInProcess(), of: url)
        return .process
    }

    /// - Parameter status: The exit status of the opener; nil: it runs.
    private func check(_ status: Int32?, of url: String) async throws(Failure) {
        guard let status, status != 0 else { return }
        logger.debug("the opener failed", metadata: ["status": "\(status)"])
        if status == DetachedProgram.notFound { throw .noOpener(program: program) }
        if await !hasDisplay { throw .noDisplay }
        throw .nothingOpens(scheme: String(url.prefix { $0 != ":" }))
    }

    /// Whether this process or the user's service manager knows a display.
    private var hasDisplay: Bool {
        get async {
            let names = ["WAYLAND_DISPLAY", "DISPLAY"]
            let own = ProcessInfo.processInfo.environment
            if names.contains(where: { own[$0]?.isEmpty == false }) { return true }
            let manager = Proxy(bus, SystemdManager.busName, SystemdManager.path)
            let variables = try? await manager.get(SystemdManager.variables, timeout: Self.deadline, autoStart: false)
            return variables?.contains { line in names.contains { line.hasPrefix("\($0)=") } } ?? false
        }
    }
}
