import Basics

/// The preferences as the service last returned them.
struct PreferenceAnswers: Equatable, Sendable {
    private var confirmed: ConfirmedContents<PreferencesContents, PreferenceChange.Target>?
    private var numbers = LoadNumbers()

    /// nil: not loaded.
    var contents: PreferencesContents? { confirmed?.contents }

    mutating func beginLoad() -> UInt64 { numbers.beginLoad() }

    /// - Parameter answer: nil: the load failed.
    mutating func finishLoad(_ number: UInt64, _ answer: PreferencesContents?) {
        defer { confirmed?.prune(numbers) }
        guard numbers.endLoad(number), let answer else { return }
        guard let last = confirmed?.load else {
            confirmed = ConfirmedContents(answer, load: number)
            return
        }
        guard number > last else { return }
        confirmed?.replace(by: answer, load: number) { target, known, answer in answer.copy(target, from: known) }
    }

    /// The service confirmed these changes of one target.
    ///
    /// - Parameter answer: nil: a later load contains the result.
    mutating func confirm(_ changes: [PreferenceChange], _ answer: PreferenceAnswer?, by rules: ServiceRules) {
        guard let target = changes.first?.target, let answer else { return }
        confirmed?.confirm(target, numbers.next()) { contents in
            switch answer {
            case .category(let new): contents.update(new)
            case .level(let new): contents.update(new)
            case .accepted: contents = contents.applying(changes, by: rules)
            }
        }
        confirmed?.prune(numbers)
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
        case .topic: break
        }
    }
}
