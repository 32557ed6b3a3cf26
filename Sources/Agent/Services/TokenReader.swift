import FoundationEssentials
import Subprocess

/// Gets an account's token from where the configuration says it is, anew each time.
struct TokenReader: Sendable {
    /// Why there is no token. Never contains what a command printed.
    struct Failure: Error, Equatable, CustomStringConvertible {
        var description: String
    }

    /// A command may ask its user for a passphrase.
    static let deadline = Duration.seconds(120)
    /// No token is longer.
    static let limit = 64 << 10

    let source: TokenSource
    let clock: any Clock<Duration>
    /// Where the tokens of ``TokenSource/secret(_:)`` are.
    let keyring: Keyring
    /// Where the command of ``TokenSource/command(_:)`` runs.
    var place = CommandPlace.current

    /// The token: the first line, without white space around it.
    func read() async throws(Failure) -> String {
        let (text, name) =
            switch source {
            case .command(let command): (try await output(of: command), "\"\(command[0])\" (token_command)")
            case .file(let path): (try Self.contents(of: path), "\"\(path)\" (token_file)")
            case .secret(let attributes): (try await secret(attributes), "The Secret Service (token_secret)")
            }
        switch TokenText(text) {
        case .token(let token): return token
        case .empty: throw Failure(description: "\(name) gave no token.")
        case .garbled: throw Failure(description: "\(name) gave a first line that is no token.")
        }
    }

    private func secret(_ attributes: [String: String]) async throws(Failure) -> String {
        do {
            return try await keyring.secret(attributes)
        } catch {
            throw Failure(description: "\(error) \(error.remedy)")
        }
    }

    /// What is in a token's file, if others can neither read nor replace it.
    static func contents(of path: String) throws(Failure) -> String {
        let name = "\"\(path)\" (token_file)"
        do throws(GuardedFile.Failure) {
            return try GuardedFile(path: path, limit: limit, isSecret: true).read()
        } catch {
            switch error {
            case .missing, .unreadable:
                throw Failure(description: "\(name) cannot be read. Does it exist, and may you read it?")
            case .noText: throw Failure(description: "\(name) is too large or not text.")
            case .refused(let reason): throw Failure(description: "\(name) is not used. \(reason)")
            }
        }
    }

    private func output(of command: [String]) async throws(Failure) -> String {
        let name = "\"\(command[0])\" (token_command)"
        let result: String?? = await withTaskGroup { group in
            group.addTask { await run(command) }
            group.addTask { [clock] in
                try? await clock.sleep(for: Self.deadline)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next()
        }
        guard let output = result ?? nil else {
            throw Failure(
                description: "\(name)\(place == .unit ? ", run by systemd in a unit of its own," : "") "
                    + "failed, printed too much, or took longer than \(Self.deadline.components.seconds) seconds."
            )
        }
        return output
    }

    private func run(_ command: [String]) async -> String? {
        let command = place.words(command, deadline: Self.deadline)
        let result = try? await Subprocess.run(
            .name(command[0]),
            arguments: .init(Array(command.dropFirst())),
            output: .string(limit: Self.limit)
        )
        guard let result, result.terminationStatus.isSuccess else { return nil }
        return result.standardOutput
    }
}
