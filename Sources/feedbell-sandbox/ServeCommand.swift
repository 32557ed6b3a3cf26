import ArgumentParser
import Glibc
import Sandbox

/// `feedbell-sandbox serve`.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the sandbox on a port of 127.0.0.1",
        discussion: """
            The first line says the address. What happens follows, one line each; what a correct client never does \
            goes to standard error. Commands are read from standard input, one per line: \
            publish {"header":"Hi","text":"there"}. 'help' lists all commands.
            """
    )

    @Option(help: "The TCP port; 0 lets the system choose.")
    var port = 0

    @Option(help: "The workspace's public key that clients must send.")
    var publicKey = "SS.PUBK.sandbox"

    @Option(name: .customLong("user"), help: "A user's distinct_id; may be repeated. (default: user-1)")
    var users: [String] = []

    @Option(name: .customLong("tenant"), help: "A tenant; may be repeated. (default: default)")
    var tenants: [String] = []

    @Flag(
        inversion: .prefixedNo,
        help: "Refuse clients without a valid user token; 'feedbell-sandbox token' prints one."
    )
    var requireToken = true

    @Option(help: "The lifetime of tokens made by the 'token' command, in seconds.")
    var tokenLifetime: Int64 = 3600

    @Option(help: "The interval between pings, in milliseconds.")
    var pingInterval: Int64 = 25_000

    @Option(help: "The timeout for the answer to a ping, in milliseconds.")
    var pingTimeout: Int64 = 20_000

    @Flag(help: "Disable connection state recovery.")
    var noRecovery = false

    @Option(help: "Write the port to this file when the server listens.")
    var portFile: String?

    @Flag(help: "Publish six realistic notifications per user at the start.")
    var sampleNotifications = false

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port must be from 0 to 65535.") }
        guard pingInterval > 0, pingTimeout > 0 else {
            throw ValidationError("--ping-interval and --ping-timeout must be positive.")
        }
    }

    private var options: SandboxOptions {
        SandboxOptions(
            port: port,
            publicKey: publicKey,
            users: users.isEmpty ? ["user-1"] : users,
            tenants: tenants.isEmpty ? ["default"] : tenants,
            requireToken: requireToken,
            tokenLifetime: tokenLifetime,
            pingInterval: pingInterval,
            pingTimeout: pingTimeout,
            recovery: !noRecovery
        )
    }

    func run() async throws {
        let events = Terminal.events()
        do {
            try await Sandbox.with(options, report: Terminal.show) { sandbox in
                Terminal.print("listening on \(sandbox.baseURL)")
                try publishPort(sandbox.port)
                if sampleNotifications {
                    for user in options.users {
                        for tenant in options.tenants {
                            try await sandbox.perform(.samples(to: Recipient(user, tenant: tenant)))
                        }
                    }
                }
                for await event in events {
                    switch event {
                    case .line(let line): await perform(line, in: sandbox)
                    case .signal: return
                    }
                }
            }
        } catch {
            throw CommandMistake("The sandbox cannot run on port \(port): \(error)")
        }
    }

    private func perform(_ line: String, in sandbox: Sandbox) async {
        do throws(CommandMistake) {
            guard let command = try SandboxCommand.line(line) else { return }
            let answer = try await sandbox.perform(command)
            Terminal.print(answer.string ?? answer.text)
        } catch {
            Terminal.print(error.sentence)
        }
    }

    private func publishPort(_ port: Int) throws {
        guard let portFile else { return }
        // Written under another name and renamed, so that a waiting program never reads an incomplete file.
        let draft = portFile + ".new"
        guard let file = fopen(draft, "w") else { throw CommandMistake("\(draft) cannot be written.") }
        fputs("\(port)\n", file)
        fclose(file)
        guard rename(draft, portFile) == 0 else { throw CommandMistake("\(portFile) cannot be written.") }
    }
}
