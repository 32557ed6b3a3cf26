import AgentInterface
import ArgumentParser
import Translation
import VisibleText

/// Prompts for the missing values of a new account. Each answer is checked by `feedbell-agent add-account --dry-run`.
struct AccountQuestions {
    let program: AgentProgram
    let dialogue = Dialogue()
    /// The options for `feedbell-agent add-account`: the given ones and the answers.
    private(set) var options: [String]

    init(program: AgentProgram, options: [String]) {
        self.program = program
        self.options = options
    }

    /// The account's name; nil: not known yet.
    var name: String? {
        options.first { $0.hasPrefix("--name=") }.map { String($0.dropFirst("--name=".count)) }
    }

    /// Checks the given options before the first prompt.
    func checkOptions() async throws {
        if let problem = try await problem(with: []) { throw problem }
    }

    /// Prompts until there is a valid answer.
    ///
    /// - Parameters:
    ///   - argument: The argument for the value, to use without a terminal.
    ///   - option: The option of `feedbell-agent add-account` for the value.
    ///   - usual: The value of an empty answer.
    mutating func ask(_ question: String, for argument: String, as option: String, usual: String? = nil) async throws {
        while true {
            let answer = try dialogue.ask(question, for: argument, usual: usual)
            // With "=", a value may start with a dash.
            let given = "\(option)=\(answer)"
            guard let problem = try await problem(with: [given]) else {
                options.append(given)
                return
            }
            StandardStream.error.write("\(problem.sentence.printable)\n")
        }
    }

    /// The option of `feedbell-agent add-account` for the login with a token alone.
    static let tokenAlone = "--token-alone"

    /// Whether the account has a token alone. Asks on a terminal, unless an option tells.
    ///
    /// - Parameters:
    ///   - description: Of a service that has accounts with a token alone.
    ///   - values: The given values by option name.
    ///   - isChosen: Whether the option was given.
    mutating func hasTokenAlone(
        _ description: ServiceDescription,
        _ values: [String: String],
        _ isChosen: Bool
    ) throws -> Bool {
        guard !isChosen else { return true }
        guard dialogue.isPossible, let login = description.tokenLogin,
            login.replaced.allSatisfy({ values[$0] == nil }), try dialogue.confirm(login.question)
        else { return false }
        options.append(Self.tokenAlone)
        return true
    }

    /// Prompts until there is a valid token; nil: none.
    ///
    /// - Parameters:
    ///   - name: What the service calls it.
    ///   - isNeeded: Whether an empty answer is rejected.
    func askToken(_ name: String, isNeeded: Bool) async throws -> String? {
        let question =
            isNeeded
            ? translated("Your {token} (not shown)", ["token": name])
            : translated("Your {token} (not shown; empty for none)", ["token": name])
        while true {
            guard let token = try dialogue.askSecret(question) else {
                if !isNeeded { return nil }
                StandardStream.error.write(translated("A value is required.") + "\n")
                continue
            }
            if try await problem(with: ["--token-stdin"], input: token) == nil { return token }
            let problem = translated("This {token} is invalid. It is one line without spaces.", ["token": name])
            StandardStream.error.write(problem + "\n")
        }
    }

    /// The problem of the options with this answer; nil: valid. Throws errors that do not depend on the answer.
    private func problem(with answer: [String], input: String = "") async throws -> Failure? {
        do {
            _ = try await program.output(["add-account", "--dry-run"] + options + answer, input: input)
            return nil
        } catch let failure as Failure where failure.code == .usage || failure.code == .noToken {
            return failure
        }
    }
}

extension AgentProgram {
    /// Runs the program and returns its standard output. If it fails, throws its standard error and exit code.
    func output(_ arguments: [String], input: String) async throws -> String {
        let outcome: Outcome
        do {
            outcome = try await run(arguments, input: input)
        } catch {
            throw feedbell.Failure(error.description, .noAnswer)
        }
        guard outcome.status == 0 else {
            let sentences = outcome.errors.split(separator: "\n").joined(separator: " ")
            throw feedbell.Failure(sentences, ExitCode(outcome.status))
        }
        return outcome.output
    }
}
