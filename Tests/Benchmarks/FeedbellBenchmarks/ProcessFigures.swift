import FoundationEssentials
import Glibc

/// Figures of a process from the kernel (proc(5)). A figure that the kernel does not have is an error.
struct ProcessFigures {
    let pid: pid_t

    /// Kilobytes of memory: what is in RAM, and the part of it that is the process's own and was written to.
    var memory: (resident: Int, privateDirty: Int) {
        get throws {
            let lines = try text("smaps_rollup")
            return (try number("Rss:", lines), try number("Private_Dirty:", lines))
        }
    }

    /// Kilobytes of memory that belong to no file and are in RAM.
    var anonymousMemory: Int { get throws { try number("Anonymous:", try text("smaps_rollup")) } }

    var threads: Int { get throws { try tasks.count } }

    /// Time on a processor, in user mode and in the kernel, of all threads there ever were (clock_getcpuclockid(3)).
    var processorTime: Duration {
        get throws {
            var (clock, time) = (clockid_t(), timespec())
            guard clock_getcpuclockid(pid, &clock) == 0, clock_gettime(clock, &time) == 0 else {
                throw Child.Failure(description: "the processor time of process \(pid) cannot be read")
            }
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
    }

    /// How often a thread had nothing to do and was woken later, and how often it was interrupted for others.
    struct ContextSwitches {
        var voluntary = 0
        var involuntary = 0

        static func + (left: Self, right: Self) -> Self {
            Self(voluntary: left.voluntary + right.voluntary, involuntary: left.involuntary + right.involuntary)
        }

        static func - (left: Self, right: Self) -> Self {
            Self(voluntary: left.voluntary - right.voluntary, involuntary: left.involuntary - right.involuntary)
        }
    }

    /// The context switches of each thread since it began, by thread.
    var contextSwitches: [String: ContextSwitches] {
        get throws {
            try tasks.reduce(into: [:]) { switches, task in
                // A thread may end meanwhile.
                guard let lines = try? text("task/\(task)/status") else { return }
                switches[task] = ContextSwitches(
                    voluntary: try number("\nvoluntary_ctxt_switches:", lines),
                    involuntary: try number("nonvoluntary_ctxt_switches:", lines)
                )
            }
        }
    }

    /// A thread's own name; empty if it has ended.
    func name(ofThread thread: String) -> String {
        String(((try? text("task/\(thread)/comm")) ?? "").prefix { $0 != "\n" })
    }

    /// Kilobytes: the most that was ever in RAM.
    var peakMemory: Int { get throws { try number("VmHWM:", try text("status")) } }

    private var tasks: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task") }
    }

    private func text(_ file: String) throws -> String {
        let path = "/proc/\(pid)/\(file)"
        // Files of /proc have no size, so they are read until they end.
        guard let stream = fopen(path, "r") else { throw Child.Failure(description: "\(path) cannot be read") }
        defer { fclose(stream) }
        var bytes: [UInt8] = []
        while case let byte = getc(stream), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        guard !bytes.isEmpty else { throw Child.Failure(description: "\(path) is empty; the process has ended") }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func number(_ label: String, _ text: String) throws -> Int {
        guard let range = text.firstRange(of: label),
            let number = Int(
                text[range.upperBound...].drop { $0 == " " || $0 == "\t" }.prefix { $0.isNumber }
            )
        else { throw Child.Failure(description: "process \(pid) has no \(label.drop { $0 == "\n" })") }
        return number
    }
}

/// Adds up the voluntary switches of all threads of a process. A thread that ends takes with it what it did since the
/// previous sample.
struct SwitchCounter {
    private let figures: ProcessFigures
    private var before: [String: ProcessFigures.ContextSwitches]
    private(set) var voluntary = 0

    init(_ figures: ProcessFigures) throws {
        self.figures = figures
        before = try figures.contextSwitches
    }

    mutating func sample() throws {
        let now = try figures.contextSwitches
        for (thread, switches) in now { voluntary += switches.voluntary - (before[thread]?.voluntary ?? 0) }
        before = now
    }
}
