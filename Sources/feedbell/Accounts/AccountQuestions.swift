import ArgumentParser

/// Asks for what is not given of an account that is to be added. The agent's program judges each answer when it is given.
struct AccountQuestions {
    let program: AgentProgram
    let dialogue = Dialogue()
    /// What `feedbell-agent add-account` gets: what was given, and the answers.
    private(set) var options: [String]

    init(program: AgentProgram, options: [String]) {
        self.program = program
        self.options = options
    }

    /// The account's name, once it is known.
    var name: String? {
        options.first { $0.hasPrefix("--name=") }.map { String($0.dropFirst("--name=".count)) }
    }

    /// Throws what is wrong with the options that were given, before anything is asked.
    func checkOptions() async throws {
        if let problem = try await problem(with: []) { throw problem }
    }

    /// Asks until there is an answer that is right.
    ///
    /// - Parameters:
    ///   - argument: How the answer is given without a terminal.
    ///   - option: The option of `feedbell-agent add-account` that takes it.
    ///   - usual: What no answer means.
    mutating func ask(_ question: String, for argument: String, as option: String, usual: String? = nil) async throws {
        while true {
            let answer = try dialogue.ask(question, for: argument, usual: usual)
            // With "=", a value that begins with a dash is still a value.
            let given = "\(option)=\(answer)"
            guard let problem = try await problem(with: [given]) else {
                options.append(given)
                return
            }
            StandardError.write("\(problem.sentence.printable)\n")
        }
    }

    /// Asks for a token until there is one; nil: there is to be none.
    ///
    /// - Parameter isNeeded: Whether no answer is no answer.
    func askToken(isNeeded: Bool) async throws -> String? {
        let question = "Your token (it is not shown\(isNeeded ? "" : "; nothing: use none"))"
        while true {
            guard let token = try dialogue.askSecret(question) else {
                if !isNeeded { return nil }
                StandardError.write("This is needed.\n")
                continue
            }
            if try await problem(with: ["--token-stdin"], input: token) == nil { return token }
            StandardError.write("This is no token: one line without blanks is.\n")
        }
    }

    /// What the agent's program has against the options and this answer; nil: nothing. Throws what no other answer would mend.
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
    /// What it prints. Throws what it writes to standard error, with its exit code.
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
