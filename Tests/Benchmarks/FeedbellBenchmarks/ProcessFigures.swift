import FoundationEssentials
import Glibc

/// Figures of a process from the kernel (proc(5)).
struct ProcessFigures {
    let pid: pid_t

    /// Kilobytes of memory: what is in RAM, and the part of it that is the process's own and was written to.
    var memory: (resident: Int, privateDirty: Int) {
        let lines = text("smaps_rollup")
        return (number("Rss:", lines), number("Private_Dirty:", lines))
    }

    var threads: Int { tasks.count }

    /// Time on a processor, in user mode and in the kernel, of all threads there ever were. In ticks, which are mostly
    /// 10 ms.
    var processorTime: Duration {
        // The second field is the name in parentheses, which may hold spaces; utime and stime are the fields 14 and 15.
        let fields = (text("stat").split(separator: ")").last ?? "").split(separator: " ")
        guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else { return .zero }
        return .seconds(Double(user + system) / Double(sysconf(Int32(_SC_CLK_TCK))))
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
        tasks.reduce(into: [:]) { switches, task in
            let lines = text("task/\(task)/status")
            guard !lines.isEmpty else { return }
            switches[task] = ContextSwitches(
                voluntary: number("\nvoluntary_ctxt_switches:", lines),
                involuntary: number("nonvoluntary_ctxt_switches:", lines)
            )
        }
    }

    /// A thread's own name; empty if it has ended.
    func name(ofThread thread: String) -> String {
        String(text("task/\(thread)/comm").prefix { $0 != "\n" })
    }

    /// Kilobytes: the most that was ever in RAM.
    var peakMemory: Int { number("VmHWM:", text("status")) }

    private var tasks: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
    }

    private func text(_ file: String) -> String {
        // Files of /proc have no size, so they are read until they end.
        guard let stream = fopen("/proc/\(pid)/\(file)", "r") else { return "" }
        defer { fclose(stream) }
        var bytes: [UInt8] = []
        while case let byte = getc(stream), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func number(_ label: String, _ text: String) -> Int {
        guard let range = text.firstRange(of: label) else { return 0 }
        let digits = text[range.upperBound...].drop { $0 == " " || $0 == "\t" }.prefix { $0.isNumber }
        return Int(digits) ?? 0
    }
}
