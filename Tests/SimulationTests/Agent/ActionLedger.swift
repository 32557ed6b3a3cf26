import Basics
import Inbox

/// Records for each action of the user how often the service performed it, and whether it was reported as rejected.
struct ActionLedger {
    private enum Outcome {
        case pending, confirmed, rejected
        /// A later action made it unnecessary, or the user took it back.
        case superseded
        /// The agent was killed while nothing could be written.
        case lost
    }

    private struct Entry {
        var outcome = Outcome.pending
        /// How often it was sent although the service may have performed it.
        var repeats = 0
    }

    private var entries: [TimestampedChange: Entry] = [:]
    private var performed: [ChangeStep: Int] = [:]
    /// The changes by their numbers in the outbox.
    private var numbers: [Int64: TimestampedChange] = [:]

    /// The effects of one event of the outbox.
    mutating func record(_ effects: [Outbox.Effect], ended: (change: TimestampedChange, isConfirmed: Bool)?) {
        for case .rejected(let change, _) in effects { entries[change]?.outcome = .rejected }
        if let ended, ended.isConfirmed { entries[ended.change]?.outcome = .confirmed }
        for effect in effects {
            switch effect {
            case .forget(let number):
                if let change = numbers.removeValue(forKey: number) { supersede(change) }
            case .keep(let entry):
                if let earlier = numbers[entry.number], earlier != entry.change { supersede(earlier) }
                numbers[entry.number] = entry.change
                entries[entry.change] = entries[entry.change] ?? Entry()
                // One that was superseded is made again.
                if entries[entry.change]?.outcome == .superseded { entries[entry.change]?.outcome = .pending }
            case .send, .startTimer, .rejected: break
            }
        }
    }

    private mutating func supersede(_ change: TimestampedChange) {
        if entries[change]?.outcome == .pending { entries[change]?.outcome = .superseded }
    }

    mutating func perform(_ step: ChangeStep) { performed[step, default: 0] += 1 }

    /// An attempt ended, and the service may have performed it.
    mutating func allowRepeat(of change: TimestampedChange) { entries[change]?.repeats += 1 }

    /// The agent was killed.
    mutating func restart(inFlight: TimestampedChange?, found: [Int64: TimestampedChange]) {
        if let inFlight { allowRepeat(of: inFlight) }
        for (number, change) in numbers where found[number] != change { entries[change]?.outcome = .lost }
        for (number, change) in found where numbers[number] != change {
            // That it had ended was not saved.
            entries[change, default: Entry()].outcome = .pending
            allowRepeat(of: change)
        }
        numbers = found
    }

    /// The actions that were not performed once or rejected, at rest.
    var problems: [String] {
        entries.sorted { $0.key.time < $1.key.time }.flatMap { change, entry -> [String] in
            if entry.outcome == .pending { return ["\(change) is still pending."] }
            // A change of the whole inbox may take several requests, of which some are repeated.
            guard !change.change.ids.isEmpty, entry.outcome != .lost else { return [] }
            let count = performed.filter { $0.key.change == change }.values.max() ?? 0
            var problems: [String] = []
            if count > 1 + entry.repeats { problems.append("\(change) was performed \(count) times.") }
            if entry.outcome == .confirmed, count == 0 { problems.append("\(change) was never performed.") }
            if [.rejected, .superseded].contains(entry.outcome), count > entry.repeats {
                problems.append("\(change) was performed although it was \(entry.outcome).")
            }
            return problems
        }
    }
}
