/// Valgrind's tool callgrind, which counts the instructions of a program by function.
struct Callgrind {
    /// The profile that it writes when the program ends; those of ``dump(_:)`` have a number, from 1, behind a dot.
    let profile: String
    /// Where the output of its control program goes.
    let log: String

    /// The program and its arguments that run another one.
    func launcher(_ options: [String] = []) -> [String] {
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=\(profile)"] + options
    }

    /// Begins to count in a program that was started with `--instr-atstart=no`.
    func start(_ pid: Int32) throws { try control("--instr=on", pid) }

    /// Writes a profile of what has run since the last one. It is written when the program runs next.
    func dump(_ pid: Int32) throws { try control("--dump", pid) }

    private func control(_ argument: String, _ pid: Int32) throws {
        let output = try Child.output(of: "callgrind_control", [argument, "\(pid)"], log: log)
        guard output.contains("OK") else { throw Child.Failure(description: "callgrind_control: \(output)") }
    }
}
