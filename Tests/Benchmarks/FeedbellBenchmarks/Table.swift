import Glibc

/// The figures, as a table in Markdown on standard output. A row is printed when it is known.
struct Table {
    init() { write("what", "measured", "budget or baseline", then: "|---|---|---|\n") }

    /// - Parameter measure: The budget, or a measurement for comparison.
    func add(_ what: String, _ measured: String, _ measure: String = "") { write(what, measured, measure) }

    private func write(_ what: String, _ measured: String, _ measure: String, then line: String = "") {
        print("| \(what) | \(measured) | \(measure) |\n\(line)", terminator: "")
        fflush(nil)
    }
}

extension Duration {
    /// `1.23 ms`
    var inMilliseconds: String { "\((self / .milliseconds(1)).rounded(to: 2)) ms" }
}

extension Double {
    func rounded(to places: Int) -> String {
        let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
        let value = Int((self * Double(scale)).rounded())
        let digits = String(abs(value) % scale)
        let sign = value < 0 ? "-" : ""
        return "\(sign)\(abs(value) / scale)." + String(repeating: "0", count: places - digits.count) + digits
    }
}

extension Int {
    /// Kilobytes as `1.23 MB` (1 MB = 1,000,000 bytes; a kilobyte of proc(5) is 1,024).
    var kilobytesInMegabytes: String { "\((Double(self) * 1024 / 1_000_000).rounded(to: 2)) MB" }
}

extension Array where Element: Comparable {
    /// The element below which this part of the others lies; nil if there are none.
    func quantile(_ part: Double) -> Element? {
        isEmpty ? nil : sorted()[Swift.min(count - 1, Int(Double(count) * part))]
    }

    var median: Element? { quantile(0.5) }
}
