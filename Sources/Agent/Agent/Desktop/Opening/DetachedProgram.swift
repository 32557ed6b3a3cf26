import DBus
import ProgramKit

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
    /// The description of the unit, for people.
    let description: String
    /// The activation token that it gets; nil: none.
    let token: String?

    /// - Parameter keepsStatus: Whether ``exitStatus(ofUnit:)`` follows.
    /// - Returns: The name of the unit.
    @discardableResult func startInUnit(keepsStatus: Bool = false) async throws(DBusError) -> String {
        // The service manager replaces "$$" by "$" and variables by their values (systemd.service(5)); it replaces
        // specifiers ("%") in unit files only.
        let arguments = (["env"] + words).map { $0.replacing("$", with: "$$") }
        let command = SystemdManager.Command("/usr/bin/env", arguments, false)
        let properties: [SystemdManager.UnitProperty] = [
            Structure("Description", .string(description)),
            Structure("Type", .string("exec")),
            Structure("CollectMode", .string("inactive-or-failed")),
            Structure("AddRef", .bool(keepsStatus)),
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
        return name
    }

    /// Waits a moment for the end of a unit: a program that finds nothing to do ends at once.
    ///
    /// - Returns: The exit status; nil: it still runs, or the service manager does not report it.
    func exitStatus(ofUnit name: String) async -> Int32? {
        let manager = Proxy(bus, SystemdManager.busName, SystemdManager.path)
        guard let path = try? await manager.call(SystemdManager.getUnit, name, timeout: Self.deadline) else {
            return nil
        }
        let status = await exitStatus(of: Proxy(bus, SystemdManager.busName, path))
        _ = try? await manager.call(SystemdManager.unrefUnit, name, timeout: Self.deadline)
        return status
    }

    private func exitStatus(of unit: Proxy) async -> Int32? {
        for milliseconds in [50, 100, 200, 400, 800] {
            guard (try? await Task.sleep(for: .milliseconds(milliseconds))) != nil,
                let state = try? await unit.get(SystemdUnit.activeState, timeout: Self.deadline)
            else { return nil }
            guard ["inactive", "failed"].contains(state) else { continue }
            return try? await unit.get(SystemdServiceUnit.exitStatus, timeout: Self.deadline)
        }
        return nil
    }

    /// Starts the program in a process session of its own, and waits a moment for its end. It may go on: some openers
    /// return only when the browser ends.
    ///
    /// - Returns: The exit status; nil: it still runs.
    func startInProcess() async -> Int32? {
        let variables = Dictionary(uniqueKeysWithValues: Self.tokenVariables.map { ($0, token) })
        let program = ChildProgram(
            ["sh", "-c", Self.script, "sh"] + words,
            environment: variables,
            keepsOutput: true
        )
        guard let end = try? await program.run() else { return Self.notFound }
        let text = String(decoding: end.output, as: UTF8.self)
        return text.isEmpty ? nil : Int32(text.filter(\.isNumber))
    }

    /// The status of a shell for a program that does not exist.
    static let notFound: Int32 = 127

    /// The program's status goes through descriptor 3, which the program does not get, to a reader that waits for two
    /// seconds at most.
    private static let script = #"""
        { setsid --fork sh -c '"$@" >/dev/null 2>&1 3>&-; echo "$?" >&3' sh "$@" 3>&1 >/dev/null 2>&1 </dev/null \
            || echo 127; } | timeout 2 head -n 1
        """#
}
