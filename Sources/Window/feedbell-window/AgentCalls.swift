import Window

/// What the windows let the agent and its program do: it runs in the task group of ``WindowProgram``, from the
/// connection to the bus on.
final class AgentCalls {
    struct Call: Sendable {
        typealias Return = @MainActor @Sendable () -> Void

        /// Whether the program ends only after it.
        var isAwaited: Bool
        /// Passes the result to who started it.
        var run: @Sendable (AgentRequests) async -> Return
    }

    private let send: (Call) -> Void

    /// - Parameter send: Passes a call on to the task group.
    init(send: @escaping (Call) -> Void) { self.send = send }

    /// - Parameters:
    ///   - isAwaited: Whether the program ends only after the call.
    ///   - returned: Gets the result.
    func start<Result: Sendable>(
        isAwaited: Bool = true,
        _ call: @escaping @Sendable (AgentRequests) async -> Result,
        returned: @escaping @MainActor @Sendable (Result) -> Void
    ) {
        send(
            Call(isAwaited: isAwaited) { requests in
                let result = await call(requests)
                return { returned(result) }
            }
        )
    }

    /// Passes an event on after a time, unless the program ends before.
    func wait(_ delay: Duration, passed: @escaping @MainActor @Sendable () -> Void) {
        start(isAwaited: false) { _ in
            (try? await Task.sleep(for: delay)) != nil
        } returned: {
            if $0 { passed() }
        }
    }
}

/// A request of a window that needs another window or the program.
enum WindowRequest: Sendable {
    case showPreferences
    /// Show a category in the preferences of an account.
    case showCategory(account: String, String)
    /// Set what the settings have in a row.
    case set(SettingsPage.Row, FormValue)
    case openForm(AccountForm.Purpose)
    /// The user has to sign in with the browser to an account that was saved.
    case signIn(added: String)
    /// A short message over the inbox.
    case show(String)
    /// The user's requests are performed, then the program ends.
    case quit
}
