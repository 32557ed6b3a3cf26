/// A part of a pattern.
indirect enum PatternNode: Hashable, Sendable {
    case one(ScalarSet)
    /// The begin and the end of the text.
    case start, end
    case sequence([PatternNode])
    case alternatives([PatternNode])
    /// `atMost`: nil: any number.
    case repeated(PatternNode, atLeast: Int, atMost: Int?)

    /// The number of instructions; at most about ``PatternProgram/sizeLimit`` is exact.
    var size: Int {
        switch self {
        case .one, .start, .end: return 1
        case .sequence(let nodes): return min(nodes.reduce(0) { $0 + $1.size }, Self.huge)
        case .alternatives(let nodes): return min(nodes.reduce(0) { $0 + $1.size + 2 }, Self.huge)
        case .repeated(let node, let least, let most):
            let copies = most.map { max($0, least) } ?? least + 1
            return min((node.size + 2) * copies, Self.huge)
        }
    }

    private static let huge = 1_000_000
}

/// A pattern as a nondeterministic finite automaton. All its states are followed at once (Thompson, "Regular Expression
/// Search Algorithm", 1968), so each character of a text takes at most one step of each state.
struct PatternProgram: Hashable, Sendable {
    private enum Instruction: Hashable, Sendable {
        /// Accepts one scalar and continues with the next instruction.
        case one(ScalarSet)
        case split(Int, Int)
        case jump(Int)
        case start, end, match
    }

    /// The maximum number of instructions of a valid pattern.
    static let sizeLimit = 1_000

    /// The number of instructions that the pattern needs. Beyond ``sizeLimit`` there are none.
    let size: Int
    /// Whether it has to match the whole text.
    private let isWhole: Bool
    private var instructions: [Instruction] = []

    init(_ node: PatternNode, isWhole: Bool, ignoresCase: Bool) {
        self.isWhole = isWhole
        size = node.size
        guard size <= Self.sizeLimit else { return }
        emit(node, ignoresCase)
        instructions.append(.match)
    }

    private mutating func emit(_ node: PatternNode, _ ignoresCase: Bool) {
        switch node {
        case .one(let set): instructions.append(.one(ignoresCase ? set.folded : set))
        case .start: instructions.append(.start)
        case .end: instructions.append(.end)
        case .sequence(let nodes):
            for node in nodes { emit(node, ignoresCase) }
        case .alternatives(let nodes):
            var jumps: [Int] = []
            for (index, node) in nodes.enumerated() {
                let split = instructions.count
                if index < nodes.count - 1 { instructions.append(.split(split + 1, 0)) }
                emit(node, ignoresCase)
                guard index < nodes.count - 1 else { continue }
                jumps.append(instructions.count)
                instructions.append(.jump(0))
                instructions[split] = .split(split + 1, instructions.count)
            }
            for jump in jumps { instructions[jump] = .jump(instructions.count) }
        case .repeated(let node, let least, let most):
            for _ in 0..<least { emit(node, ignoresCase) }
            guard let most else {
                let split = instructions.count
                instructions.append(.split(split + 1, 0))
                emit(node, ignoresCase)
                instructions.append(.jump(split))
                instructions[split] = .split(split + 1, instructions.count)
                return
            }
            var splits: [Int] = []
            for _ in least..<max(least, most) {
                splits.append(instructions.count)
                instructions.append(.jump(0))
                emit(node, ignoresCase)
            }
            for split in splits { instructions[split] = .split(split + 1, instructions.count) }
        }
    }

    /// Whether the pattern matches, and how many states were visited.
    func run(_ text: [Unicode.Scalar]) -> (isMatch: Bool, steps: Int) {
        var states = States(count: instructions.count)
        for position in 0...text.count {
            if position == 0 || !isWhole { add(0, to: &states, at: position, of: text.count) }
            if states.hasMatch, position == text.count || !isWhole { return (true, states.visited) }
            guard position < text.count, !states.active.isEmpty || !isWhole else {
                return (false, states.visited)
            }
            states.advance()
            for index in states.previous.indices {
                let state = states.previous[index]
                if case .one(let set) = instructions[state], set.contains(text[position]) {
                    add(state + 1, to: &states, at: position + 1, of: text.count)
                }
            }
        }
        return (false, states.visited)
    }

    /// Adds a state and those that are reached from it without a scalar.
    private func add(_ state: Int, to states: inout States, at position: Int, of count: Int) {
        states.open.append(state)
        while let state = states.open.popLast() {
            guard states.visit(state) else { continue }
            switch instructions[state] {
            case .one: states.active.append(state)
            case .split(let first, let second):
                states.open.append(second)
                states.open.append(first)
            case .jump(let target): states.open.append(target)
            case .start: if position == 0 { states.open.append(state + 1) }
            case .end: if position == count { states.open.append(state + 1) }
            case .match: states.hasMatch = true
            }
        }
    }

    /// The states at one position of a text.
    private struct States {
        /// Those that accept a scalar.
        var active: [Int] = []
        /// Those of the position before.
        private(set) var previous: [Int] = []
        var hasMatch = false
        /// Those that are to be added.
        var open: [Int] = []
        /// The last step in which each state was visited.
        private var visits: [Int]
        private var step = 1
        private(set) var visited = 0

        init(count: Int) { visits = Array(repeating: 0, count: count) }

        /// Whether the state is visited for the first time at this position.
        mutating func visit(_ state: Int) -> Bool {
            guard visits[state] != step else { return false }
            visits[state] = step
            visited += 1
            return true
        }

        /// Begins the next position.
        mutating func advance() {
            swap(&active, &previous)
            active.removeAll(keepingCapacity: true)
            hasMatch = false
            step += 1
        }
    }
}
