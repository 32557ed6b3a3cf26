import AgentInterface
import VisibleText

/// The user's requests that have no reply yet. After a second the window shows that they are performed.
struct LongWork: Equatable, Sendable {
    private(set) var awaited: Set<InboxRequest> = []
    private(set) var isLong = false
    private var number = 0

    /// - Returns: The number of a second to wait for; nil: none begins.
    mutating func begin(_ requests: [InboxRequest]) -> Int? {
        let isFirst = awaited.isEmpty && !requests.isEmpty
        awaited.formUnion(requests)
        if isFirst { number += 1 }
        return isFirst ? number : nil
    }

    mutating func end(_ request: InboxRequest) {
        awaited.remove(request)
        if awaited.isEmpty { isLong = false }
    }

    mutating func secondPassed(_ number: Int) { if number == self.number { isLong = !awaited.isEmpty } }
}

extension InboxPage {
    /// Whether something that the user has asked for takes long.
    package var isWorking: Bool { work.isLong }

    /// - Parameter effects: The other effects of the event.
    mutating func effectsOfWork(_ effects: [Effect]) -> [Effect] {
        let requests = effects.compactMap { effect -> InboxRequest? in
            if case .send(let request) = effect, request.isAction, !request.call.isSilent { request } else { nil }
        }
        return work.begin(requests).map { [.watchWork($0)] } ?? []
    }

    /// A line at the end of the list.
    package struct ListEnd: Equatable, Sendable {
        package var text: String
        package var isLoading: Bool
    }

    /// That more is being loaded, or that this is all; nil: neither has to be said.
    package var listEnd: ListEnd? {
        if rows.isEmpty { return nil }
        if lists.isLoadingPage { return ListEnd(text: translated("Loading …"), isLoading: true) }
        guard lists.hasAll, rows.count > ListRequest.pageSize else { return nil }
        let text = translated("{count} notification", plural: "{count} notifications", count: rows.count)
        return ListEnd(text: text, isLoading: false)
    }
}
