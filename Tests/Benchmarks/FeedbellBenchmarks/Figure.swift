/// A measured value with its unit.
struct Figure: Sendable {
    enum Unit: Sendable, Hashable {
        /// A megabyte is 1,000,000 bytes.
        case megabytes
        case milliseconds, seconds
        case count
        case perSecond, perMinute
        /// Of another figure.
        case times
        case percent
        case millions
    }

    let value: Double
    let unit: Unit
    /// Whether zero and less are plausible. Otherwise they mean that nothing was measured.
    let mayBeZero: Bool

    init(_ value: Double, _ unit: Unit, mayBeZero: Bool = false) {
        (self.value, self.unit, self.mayBeZero) = (value, unit, mayBeZero)
    }

    static func count(_ count: Int, mayBeZero: Bool = false) -> Figure {
        Figure(Double(count), .count, mayBeZero: mayBeZero)
    }

    static func milliseconds(_ duration: Duration) -> Figure { Figure(duration / .milliseconds(1), .milliseconds) }

    static func seconds(_ duration: Duration) -> Figure { Figure(duration / .seconds(1), .seconds) }

    /// - Parameter kilobytes: Of 1,024 bytes, as in proc(5).
    static func megabytes(kilobytes: Int, mayBeZero: Bool = false) -> Figure {
        Figure(Double(kilobytes) * 1024 / 1_000_000, .megabytes, mayBeZero: mayBeZero)
    }

    static func ratio(_ figure: Figure, to other: Figure) -> Figure { Figure(figure.value / other.value, .times) }

    /// False if nothing was measured.
    var isMeasured: Bool { value.isFinite && (mayBeZero || value > 0) }

    /// `1.23 MB`
    var text: String {
        switch unit {
        case .count where value == value.rounded(), .perSecond: "\(Int(value))\(unit.suffix)"
        case .count, .perMinute, .percent: value.rounded(to: 1) + unit.suffix
        case .megabytes, .milliseconds, .seconds, .times, .millions: value.rounded(to: 2) + unit.suffix
        }
    }
}

extension Figure.Unit {
    var suffix: String {
        switch self {
        case .megabytes: " MB"
        case .milliseconds: " ms"
        case .seconds: " s"
        case .count: ""
        case .perSecond: " /s"
        case .perMinute: " a minute"
        case .times: " ×"
        case .percent: " %"
        case .millions: " million"
        }
    }
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

extension Array where Element: Comparable {
    /// The element below which this part of the others lies; nil if there are none.
    func quantile(_ part: Double) -> Element? {
        isEmpty ? nil : sorted()[Swift.min(count - 1, Int(Double(count) * part))]
    }

    var median: Element? { quantile(0.5) }
}

extension [Duration] {
    var mean: Duration? { isEmpty ? nil : reduce(.zero, +) / count }

    /// A quantile in milliseconds.
    ///
    /// - Throws: ``Child/Failure`` if nothing was measured.
    func milliseconds(_ part: Double) throws -> Figure {
        guard let duration = quantile(part) else { throw Child.Failure(description: "no time was measured") }
        return .milliseconds(duration)
    }
}
