import Glibc

/// The figures, as a table in Markdown on standard output. A row is printed when it is known.
final class Table {
    private var used: Set<Budget> = []
    private var missed: [String] = []

    init() {
        print("| what | measured | beside it | budget | |\n|---|---|---|---|---|")
        fflush(nil)
    }

    /// - Parameters:
    ///   - beside: Another measurement of the same run, for comparison.
    ///   - isWhole: False if the agent could not do what the budget is about; then it is missed.
    /// - Throws: ``Child/Failure`` if `figure` is not the result of a measurement.
    func add(
        _ what: String,
        _ figure: Figure,
        beside: String = "",
        _ budget: Budget? = nil,
        isWhole: Bool = true
    ) throws {
        guard figure.isMeasured else { throw Child.Failure(description: "nothing was measured for \"\(what)\"") }
        guard let budget else { return write(what, figure.text, beside, "", "") }
        guard figure.unit == budget.unit else {
            throw Child.Failure(description: "\"\(what)\" has another unit than its budget, \(budget.name)")
        }
        write(what, figure.text, beside, budget.text, verdict(what, budget, isMet: isWhole && budget.isMet(by: figure)))
    }

    /// A row whose result is a text.
    func add(_ what: String, text: String, beside: String = "") { write(what, text, beside, "", "") }

    /// A row that lists what there must be none of.
    func add(_ what: String, none found: [String], _ budget: Budget) {
        let text = found.isEmpty ? "none" : found.joined(separator: " ")
        write(what, text, "", "none", verdict(what, budget, isMet: found.isEmpty))
    }

    /// Prints to standard error which budgets were missed.
    ///
    /// - Parameter isComplete: Whether each budget must have been measured.
    /// - Throws: ``Child/Failure`` if one was not.
    func finish(isComplete: Bool) throws {
        let unmeasured = Budget.all.subtracting(used).map(\.name).sorted()
        if isComplete, !unmeasured.isEmpty {
            throw Child.Failure(description: "not measured: " + unmeasured.joined(separator: ", "))
        }
        for row in missed { remark("missed: \(row)") }
    }

    private func verdict(_ what: String, _ budget: Budget, isMet: Bool) -> String {
        used.insert(budget)
        if !isMet { missed.append(what) }
        return isMet ? "met" : "**missed**"
    }

    private func write(_ cells: String...) {
        print("| " + cells.joined(separator: " | ") + " |")
        fflush(nil)
    }
}
