/// A limit of a figure that a user can feel. All budgets are listed here, each with its text.
struct Budget: Hashable, Sendable {
    let limit: Double
    let unit: Figure.Unit
    /// The remark in the table.
    let remark: String
    /// The name of the limited figure. Two budgets may have the same limit.
    private let subject: String

    private init(_ subject: String, _ limit: Double, _ unit: Figure.Unit, _ remark: String = "") {
        (self.subject, self.limit, self.unit, self.remark) = (subject, limit, unit, remark)
    }

    // MARK: An agent with one connected account and nothing to do

    static let idleMemory = Budget("idle RSS", 20, .megabytes)
    static let idlePrivateDirty = Budget("idle private dirty memory", 3.5, .megabytes)
    static let idleThreads = Budget("idle threads", 3, .count)
    static let idleMemoryOfBoth = Budget("idle RSS with both services", 24, .megabytes)
    static let idleWakeUps = Budget("idle wake-ups", 3, .perMinute, "beside the pings")

    // MARK: Notifications

    static let memoryGrowth = Budget("growth of RSS after 10,000 notifications", 4, .megabytes)
    static let popupMedian = Budget("frame to popup, p50", 1, .milliseconds)
    static let popupTail = Budget("frame to popup, p99", 3, .milliseconds)
    static let processorTime = Budget("CPU for a notification", 0.95, .times, "the Python agent")
    static let eventToPopup = Budget("event to popup", 0.95, .times, "the Python agent")
    static let switches = Budget("voluntary thread switches for a notification", 8, .count)
    /// "The same", within what two measurements of the same thing differ by.
    static let loadedRows = Budget("CPU with many rows", 1.15, .times, "that with few rows")
    static let loadedRowsInstructions = Budget("instructions with many rows", 1.05, .times, "that with few rows")
    static let search = Budget("search", 10, .milliseconds)
    static let callsInFlood = Budget("calls during a flood", 50, .milliseconds)

    // MARK: Starts, commands, files

    static let startToName = Budget("start to bus name", 20, .milliseconds)
    static let startToOnline = Budget("start to connected", 50, .milliseconds)
    static let command = Budget("one-call command", 1.25, .times, "`busctl`")
    static let agentSize = Budget("size of feedbell-agent", 32, .megabytes)
    static let commandSize = Budget("size of feedbell", 17, .megabytes)
    static let links = Budget("links", 0, .count)

    // MARK: The window

    static let windowStart = Budget("start of the window", 1.5, .times, "an empty window")
    static let windowMemory = Budget("memory of the window", 1.6, .times, "an empty window")
    static let windowScrolling = Budget("frames of 10,000 rows", 2, .times, "those of a plain list")
    static let windowReaction = Budget("frames from a key to the changed row", 1, .count)

    // MARK: Lost connections

    /// The waits are drawn evenly from 0.1 to 5 s: 2.55 s on average, and two standard errors of 100 of them.
    static let returnMean = Budget("return after a loss, mean", 2.85, .seconds)
    static let returnLongest = Budget("return after a loss, longest", 5, .seconds)
    static let fleetLost = Budget("fleet that lost its server", 21, .percent, "in a second")
    static let fleetAnnounced = Budget("fleet whose server announced it", 5, .percent, "in a second")

    /// A full run measures each of them.
    static let all: Set<Budget> = [
        idleMemory, idleMemoryOfBoth, idlePrivateDirty, idleThreads, idleWakeUps, memoryGrowth, popupMedian, popupTail,
        processorTime, eventToPopup, switches, loadedRows, loadedRowsInstructions, search, callsInFlood, startToName,
        startToOnline, command, agentSize, commandSize, links, returnMean, returnLongest, fleetLost, fleetAnnounced,
        windowStart, windowMemory, windowScrolling, windowReaction,
    ]

    /// `≤ 20 MB`
    var text: String {
        let number = limit == limit.rounded() ? "\(Int(limit))" : "\(limit)"
        return "≤ \(number)\(unit.suffix)" + (remark.isEmpty ? "" : " \(remark)")
    }

    var name: String { "\(subject) \(text)" }

    func isMet(by figure: Figure) -> Bool { figure.unit == unit && figure.value <= limit }
}
