import ArgumentParser
import Glibc
import Sandbox

/// `feedbell-sandbox serve`.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the sandbox on a port of 127.0.0.1",
        discussion: """
            The first line is the address, the next ones are the other settings for a client of the service. Events \
            follow, one line each; mistakes of a client go to standard error. Commands are read from standard input, \
            one per line: publish {"header":"Hi","text":"there"}, for MagicBell publish {"title":"Hi"}. 'help' lists \
            all commands.
            """
    )

    @Option(help: "The TCP port; 0 lets the system choose.")
    var port = 0

    @Option(help: "The simulated service.")
    var service = ServiceOption.suprsend

    @Option(
        name: .customLong("user"),
        help: """
            A user; may be repeated: SuprSend's distinct_id, MagicBell's external id or e-mail address. \
            (default: user-1)
            """
    )
    var users: [String] = []

    @Option(help: "The lifetime of tokens made by the 'token' command, in seconds.")
    var tokenLifetime: Int64 = 3600

    @OptionGroup(title: "SuprSend Options")
    var suprSend: SuprSendOptions

    @OptionGroup(title: "MagicBell Options")
    var magicBell: MagicBellServeOptions

    @Flag(help: "Also simulate a company's sign-in with the browser, and its backend that gives user tokens.")
    var signIn = false

    @Option(help: "Write the port to this file when the server listens.")
    var portFile: String?

    @Flag(help: "Publish realistic notifications for each user at the start.")
    var sampleNotifications = false

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port must be from 0 to 65535.") }
    }

    private var names: [String] { users.isEmpty ? ["user-1"] : users }

    private var options: SandboxOptions {
        var options: SandboxOptions =
            switch service {
            case .suprsend: suprSend.options(port: port, users: names, tokenLifetime: tokenLifetime)
            case .magicbell: .magicBell(magicBell.options(users: names, tokenLifetime: tokenLifetime), port: port)
            }
        options.hasSignIn = signIn
        return options
    }

    func run() async throws {
        let events = ProgramInput.events()
        do {
            try await Sandbox.with(options, report: ProgramInput.show) { sandbox in
                ProgramInput.print("listening on \(sandbox.baseURL)")
                if service == .magicbell { magicBell.addresses(of: sandbox).forEach(ProgramInput.print) }
                if signIn {
                    ProgramInput.print("issuer: \(sandbox.baseURL)\(SimulatedSignIn.issuerPath)")
                    ProgramInput.print("token_url: \(sandbox.baseURL)\(SimulatedSignIn.backendPath)")
                }
                try publishPort(sandbox.port)
                if sampleNotifications {
                    let tenants: [String?] = service == .suprsend ? suprSend.names : [nil]
                    for user in names {
                        for tenant in tenants {
                            try await sandbox.execute("samples", Recipient(user, tenant: tenant).arguments())
                        }
                    }
                }
                for await event in events {
                    switch event {
                    case .line(let line): await execute(line, in: sandbox)
                    case .signal: return
                    }
                }
            }
        } catch {
            throw CommandMistake("The sandbox cannot run on port \(port): \(error)")
        }
    }

    private func execute(_ line: String, in sandbox: Sandbox) async {
        do throws(CommandMistake) {
            guard let command = try SandboxCommand(line: line) else { return }
            let answer = try await sandbox.execute(command)
            ProgramInput.print(answer.string ?? answer.text)
        } catch {
            ProgramInput.print(error.sentence)
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
