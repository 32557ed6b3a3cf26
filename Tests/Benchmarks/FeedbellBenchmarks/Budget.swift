/// A limit of a figure that a user can feel. All budgets are listed here, each with its text.
///
/// What depends on the computer's speed, or on its libraries, is limited in proportion to something of the same run.
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
    static let idlePrivateDirty = Budget("idle private dirty memory", 0.15, .times, "the Python agent")
    static let idleThreads = Budget("idle threads", 3, .count)
    static let idleMemoryOfBoth = Budget("idle RSS with both services", 24, .megabytes)
    static let idleWakeUps = Budget("idle wake-ups", 3, .perMinute, "beside the pings")

    // MARK: Notifications

    static let memoryGrowth = Budget("RSS after 10,000 notifications", 1.35, .times, "that before")
    static let processorTime = Budget("CPU for a notification", 0.95, .times, "the Python agent")
    static let eventToPopup = Budget("event to popup", 0.95, .times, "the Python agent")
    static let switches = Budget("voluntary thread switches for a notification", 8, .count)
    /// "The same", within what two measurements of the same thing differ by.
    static let loadedRows = Budget("CPU with many rows", 1.15, .times, "that with few rows")
    static let loadedRowsInstructions = Budget("instructions with many rows", 1.05, .times, "that with few rows")
    static let listedMemory = Budget("RSS with 5,000 listed", 22, .megabytes)
    static let search = Budget("search", 3, .times, "a `List` without `text`")
    static let callsInFlood = Budget("calls during a flood", 4, .times, "those before")

    // MARK: Starts, commands, files

    static let startToName = Budget("start to bus name", 5, .times, "`busctl`")
    static let startToOnline = Budget("start to connected", 8, .times, "`busctl`")
    /// Those for an account make a second call, for which accounts there are.
    static let command = Budget("one-call command", 1.5, .times, "`busctl`")
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
    static let fleetLost = Budget("fleet that lost its server", 21, .percent, "in a second")
    static let fleetAnnounced = Budget("fleet whose server announced it", 5, .percent, "in a second")

    /// A full run measures each of them.
    static let all: Set<Budget> = [
        idleMemory, idleMemoryOfBoth, idlePrivateDirty, idleThreads, idleWakeUps, memoryGrowth, processorTime,
        eventToPopup, switches, loadedRows, loadedRowsInstructions, listedMemory, search, callsInFlood, startToName,
        startToOnline, command, agentSize, commandSize, links, returnMean, fleetLost, fleetAnnounced, windowStart,
        windowMemory, windowScrolling, windowReaction,
    ]

    /// `≤ 20 MB`
    var text: String {
        let number = limit == limit.rounded() ? "\(Int(limit))" : "\(limit)"
        return "≤ \(number)\(unit.suffix)" + (remark.isEmpty ? "" : " \(remark)")
    }

    var name: String { "\(subject) \(text)" }

    func isMet(by figure: Figure) -> Bool { figure.unit == unit && figure.value <= limit }
}
