/// The work that comparisons with patterns may still do. It is counted in steps, not in time, so that a busy computer
/// decides as an idle one. A step is one of the matcher of PCRE2: 10 to 60 ns.
package struct PatternBudget: Sendable {
    /// For all rules of one notification.
    package static let notification = PatternBudget(steps: 1_000_000)
    /// For a call that tries a rule with many notifications.
    package static let call = PatternBudget(steps: 5_000_000)

    /// The number of steps that are left; negative: the last comparison took more.
    package private(set) var steps: Int

    package init(steps: Int) { self.steps = steps }

    package var isExhausted: Bool { steps <= 0 }

    package mutating func spend(_ steps: Int) { self.steps -= steps }
}
