import ChildProgram
import DBus

/// Starts a program that outlives the agent and does not have its restrictions: in a transient unit of the user's
/// service manager, otherwise in a process session of its own.
struct DetachedProgram: Sendable {
    /// The timeout of a call to the service manager.
    private static let deadline = Duration.seconds(10)

    /// The variables of Wayland and X11. Without a token they are removed: an inherited token is stale.
    private static let tokenVariables = ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"]

    let bus: Bus
    /// The program, looked up in `PATH`, and its arguments.
    let words: [String]
    /// What the service manager calls it.
    let description: String
    /// The activation token that it gets; nil: none.
    let token: String?

    func startInUnit() async throws(DBusError) {
        // The service manager replaces "$$" by "$" and variables by their values (systemd.service(5)); it replaces
        // specifiers ("%") in unit files only.
        let arguments = (["env"] + words).map { $0.replacing("$", with: "$$") }
        let command = SystemdManager.Command("/usr/bin/env", arguments, false)
        let properties: [SystemdManager.UnitProperty] = [
            Structure("Description", .string(description)),
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

    /// `setsid --fork` does not wait: some openers return only when the browser ends.
    ///
    /// - Returns: Whether it was started.
    func startInProcess() async -> Bool {
        let variables = Dictionary(uniqueKeysWithValues: Self.tokenVariables.map { ($0, token) })
        let end = try? await ChildProgram(["setsid", "--fork"] + words, environment: variables).run()
        return end?.status == .exited(0)
    }
}
