import VisibleText

/// What a program says about an action that the agent takes back, from the replies for each of its requests.
package struct UndoReport: Equatable, Sendable {
    /// The notifications of the action; nil: unknown, or all.
    private let ids: Set<String>?
    private var back: Set<String> = []
    private var sentences: [String] = []
    package private(set) var hasFailed = false

    package init(of ids: Set<String>? = nil) { self.ids = ids }

    /// - Parameter amongSeveral: Whether there are several accounts, so that the sentence names this one.
    package mutating func add(_ undone: Undone, amongSeveral: Bool) {
        back.formUnion(undone.ids)
        add(undone.sentence, amongSeveral ? undone.account : "")
    }

    /// - Parameter account: The account's name; empty: any.
    package mutating func addFailure(_ reason: String, of account: String, amongSeveral: Bool) {
        add(reason, amongSeveral ? account : "")
        hasFailed = true
    }

    private mutating func add(_ sentence: String, _ account: String) {
        sentences.append(account.isEmpty ? sentence : "\(account): \(sentence)")
    }

    /// Whether those notifications are back that the program has shown as changed, and no others. False if they are not
    /// known.
    package var isAsShown: Bool { !back.isEmpty && back == ids }

    /// The sentences about all accounts.
    package var text: String { sentences.joined(separator: " ") }
}
