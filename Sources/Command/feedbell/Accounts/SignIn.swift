import AgentInterface
import ArgumentParser
import Basics
import DBus
import FoundationEssentials
import VisibleText

struct SignIn: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-in",
        _superCommandName: Feedbell.name,
        abstract: "Sign in to an account with the browser",
        discussion: """
            For an account whose configuration has a token_url. The agent opens the browser, and waits ten minutes at \
            most until you have signed in. Control-C ends the sign-in. Without a display, or with --no-browser, the \
            address is only printed: it leads to this computer, so a browser of another computer needs the tunnel that \
            is printed with it. With --device any browser will do, if the server has such a sign-in.

            Examples:
              $ feedbell accounts sign-in work
              $ feedbell accounts sign-in work --no-browser
              $ feedbell accounts sign-in work --device

            Exit codes: 0 signed in, 3 no agent is running, 4 the configuration or the server is at fault, 5 no such \
            account, 6 you were not let in, or the account has no token_url, 7 the server cannot be reached.
            """
    )

    @ArgumentParser.Argument(help: "The account's name.", completion: .custom(ShellCompletion.accounts))
    var name: String
    @Flag(help: "Print the address, and do not open it.") var noBrowser = false
    @Flag(help: "Print a code to be entered in a browser of any device.") var device = false
    @Flag(help: "Sign in as another person than the one whom the browser knows.") var otherPerson = false

    private enum Event: Sendable {
        case message(Message)
        case agent(BusName?)
        case interrupted
    }

    func run() async throws {
        let root = try await AgentObject.root()
        let account = try await root.account(name)
        _ = try await account.properties(AgentAccount.self)
        let events = Mailbox<Event>()
        let signals = try EndSignals { events.send(.interrupted) }
        let result = await wait(root, account, events)
        signals.endProcess()
        try result.get()
    }

    private func wait(
        _ root: AgentObject,
        _ account: AgentObject,
        _ events: Mailbox<Event>
    ) async -> Result<Void, any Error> {
        let bus = root.proxy.bus
        do {
            let finished = try await account.proxy.signals(of: AgentAccount.self)
            let owners = try await bus.nameOwnerChanges(of: AgentNames.busName)
            let hasDisplay = ["WAYLAND_DISPLAY", "DISPLAY"]
                .contains { ProcessInfo.processInfo.environment[$0]?.isEmpty == false }
            let opensBrowser = !noBrowser && hasDisplay
            let options = SignInOptions(isOtherUser: otherPerson, opensBrowser: opensBrowser, isDevice: device)
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { for await message in finished { events.send(.message(message)) } }
                group.addTask { for await change in owners { events.send(.agent(change.new)) } }
                defer { group.cancelAll() }
                try await root.call(AgentRoot.signIn, name, options.dictionary, timeout: .seconds(60))
                if let request = SignInRequest(try await account.get(AgentAccount.signInRequest)) {
                    Output.text(instructions(request, opensBrowser: opensBrowser))
                }
                for await event in events.messages {
                    switch event {
                    case .interrupted:
                        try await root.call(AgentRoot.cancelSignIn, name)
                        return .success(())
                    case .agent(nil): return .failure(Failure(Failure.noAgentRunning, .noAgent))
                    case .agent: continue
                    case .message(let message):
                        guard let (error, text) = try? AgentAccount.signInFinished.decode(message) else { continue }
                        // The end of the attempt that this one has replaced.
                        if SignInRequest(try await account.get(AgentAccount.signInRequest)) != nil { continue }
                        guard let error = try? ErrorName(error) else {
                            Output.text(translated("You are signed in to {account}.", ["account": name.onOneLine]))
                            return .success(())
                        }
                        return .failure(Failure(DBusError(error, text)))
                    }
                }
                return .success(())
            }
        } catch {
            return .failure(error)
        }
    }

    private func instructions(_ request: SignInRequest, opensBrowser: Bool) -> String {
        if !request.code.isEmpty {
            return translated(
                "Open {address} in a browser of any device, and enter this code: {code}",
                ["address": request.url.onOneLine, "code": request.code.onOneLine]
            )
        }
        let address = ["address": request.url.onOneLine]
        if opensBrowser {
            return translated(
                "Sign in with your browser, which opens now. If it does not, open this address: {address}",
                address
            )
        }
        let open = translated("Open this address in a browser of this computer: {address}", address)
        guard let port = Self.port(of: request.url) else { return open }
        let host = ProcessInfo.processInfo.hostName
        let tunnel = translated(
            "For a browser of another computer, run there first: {command}",
            ["command": "ssh -L \(port):127.0.0.1:\(port) \(host.onOneLine)"]
        )
        return "\(open)\n\(tunnel)"
    }

    /// The port at which the browser's answer is waited for.
    private static func port(of url: String) -> String? {
        guard let mark = url.firstRange(of: "redirect_uri=") else { return nil }
        let uri = url[mark.upperBound...].prefix { $0 != "&" }.replacing("%3A", with: ":").replacing("%2F", with: "/")
        return uri.split(separator: "/").dropFirst().first?.split(separator: ":").last.map(String.init)
    }
}
