import AgentInterface
import DBus
import Inbox
import Logging

/// The searches of the desktop: GNOME Shell's and Plasma's. They start no agent: their name has no service file.
extension Agent {
    private static let searchPath: ObjectPath = "/org/feedbell/Search1"

    func searchObject() -> ExportedObject {
        var object = ExportedObject(Self.searchPath)
        object.handle(ShellSearchProvider.getInitialResultSet) { terms in
            await self.find(terms.joined(separator: " ")).map(\.key)
        }
        object.handle(ShellSearchProvider.getSubsearchResultSet) { _, terms in
            await self.find(terms.joined(separator: " ")).map(\.key)
        }
        object.handle(ShellSearchProvider.getResultMetas) { keys in await self.metas(of: keys) }
        object.handle(ShellSearchProvider.activateResult) { key, _, timestamp in
            try await self.show(hit: key, token: Self.token(at: timestamp))
        }
        object.handle(ShellSearchProvider.launchSearch) { terms, timestamp in
            let words = terms.joined(separator: " ")
            try await self.openInbox(
                of: self.accounts.map(\.session),
                .search(words: words),
                token: Self.token(at: timestamp)
            )
        }
        object.handle(PlasmaRunner.match) { query in
            let hits = await self.find(query)
            return hits.enumerated().map { $1.match(relevance: 1 - Double($0) / Double(2 * SearchHits.limit)) }
        }
        object.handle(PlasmaRunner.actions) { [] }
        object.handle(PlasmaRunner.setActivationToken) { token in await self.keep(token) }
        object.handle(PlasmaRunner.run) { key, _ in try await self.show(hit: key, token: self.hits.token) }
        object.handle(PlasmaRunner.teardown) { await self.keep(nil) }
        return object
    }

    /// Owns the name by which desktops search, or not, as the configuration says.
    func applySearch() async {
        do throws(DBusError) {
            if configuration.search {
                _ = try await bus.requestName(AgentNames.searchName, flags: [])
            } else {
                try await bus.releaseName(AgentNames.searchName)
            }
        } catch {
            logger.warning("the desktop's search is not served", metadata: ["reason": "\(error.message)"])
        }
    }

    private func find(_ words: String) async -> [SearchHit] {
        guard configuration.search, !hidesHits, SearchHits.isSearchable(words) else { return [] }
        let filter = NotificationFilter(limit: SearchHits.limit, text: words)
        var found: [SearchHit] = []
        for session in accounts.map(\.session) {
            let name = session.identity.name
            // One that has no copy, or words that are none, find nothing.
            let items = (try? await session.list(filter, for: AgentNames.searchName.text)) ?? []
            found += items.map { SearchHit(NotificationRecord($0), of: name) }
        }
        return hits.add(found)
    }

    private func metas(of keys: [String]) -> [[String: Value]] { hidesHits ? [] : keys.compactMap { hits[$0]?.meta } }

    /// Whether the session is locked, and shows no texts.
    private var hidesHits: Bool { isLocked && configuration.popups.locked != .show }

    private func keep(_ token: String?) { hits.token = token }

    /// A token of X11 for what is opened; Wayland has none here.
    ///
    /// - Parameter timestamp: Of the user's click, on the X server's clock.
    private static func token(at timestamp: UInt32) -> String { "feedbell_TIME\(timestamp)" }

    /// Shows a hit in the window, where it is installed, otherwise in a terminal.
    private func show(hit key: String, token: String?) async throws(DBusError) {
        hits.token = nil
        guard let hit = hits[key] else { throw DBusError(AgentErrors.notFound, "The search has not found it.") }
        if await openWindow(.show(account: hit.account, id: hit.id), token: token) { return }
        try await openTerminal(.inbox(account: hit.account, show: hit.id), token: token)
    }
}
