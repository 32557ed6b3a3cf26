/// The preferences as the service last returned them. Of the answers to two loads, that to the later one wins; a
/// confirmed change is not overwritten by the answer to an earlier load.
struct PreferenceAnswers: Equatable, Sendable {
    /// nil: not loaded.
    private(set) var contents: PreferencesContents?
    /// Numbers the loads and the confirmations, in their order.
    private var lastNumber: UInt64 = 0
    /// The load whose answer is in `contents`.
    private var answered: UInt64 = 0
    private var loads: Set<UInt64> = []
    /// When each target was confirmed: the answers to earlier loads may not contain it.
    private var confirmations: [PreferenceChange.Target: UInt64] = [:]

    mutating func beginLoad() -> UInt64 {
        lastNumber += 1
        loads.insert(lastNumber)
        return lastNumber
    }

    /// - Parameter answer: nil: the load failed.
    mutating func finishLoad(_ number: UInt64, _ answer: PreferencesContents?) {
        loads.remove(number)
        defer { confirmations = confirmations.filter { $0.value > loads.min() ?? .max } }
        guard var answer, number > answered else { return }
        answered = number
        if let contents {
            for (target, time) in confirmations where time > number { answer.copy(target, from: contents) }
        }
        contents = answer
    }

    /// The service confirmed these changes of one target.
    ///
    /// - Parameter answer: nil: a later load contains the result.
    mutating func confirm(_ changes: [PreferenceChange], _ answer: PreferenceAnswer?, by rules: ServiceRules) {
        guard let target = changes.first?.target, let answer else { return }
        lastNumber += 1
        if !loads.isEmpty { confirmations[target] = lastNumber }
        switch answer {
        case .category(let new): contents?.update(new)
        case .level(let new): contents?.update(new)
        case .accepted: contents = contents?.applying(changes, by: rules)
        }
    }
}

extension PreferencesContents {
    /// Replaces a category, in every section that contains it.
    fileprivate mutating func update(_ new: Category) {
        for index in categories.indices where categories[index].id == new.id {
            var new = new
            (new.section, new.sectionDescription) = (categories[index].section, categories[index].sectionDescription)
            categories[index] = new
        }
    }

    fileprivate mutating func update(_ new: Level) {
        for index in levels.indices where levels[index].channel == new.channel { levels[index] = new }
    }

    fileprivate mutating func copy(_ target: PreferenceChange.Target, from known: PreferencesContents) {
        switch target {
        case .category(let id): if let category = known.categories.first(where: { $0.id == id }) { update(category) }
        case .channel(let name): if let level = known.levels.first(where: { $0.channel == name }) { update(level) }
        }
    }
}
