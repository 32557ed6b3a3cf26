import AgentInterface
import Basics
import DBus
import Inbox
import Logging

/// The methods of `org.feedbell.Agent1.Inbox` that read: each caller chooses its view.
extension AccountSession {
    /// The maximum number of notifications on a page.
    private static let longestPage = 100
    private static let failureLimit = 32
    private static let loadingTimeout = Duration.seconds(1)
    /// How many notifications are loaded at most, unless the configuration keeps more.
    private static let rowLimit = 50_000
    /// How many pages are requested one after the other, if the list changes meanwhile.
    private static let attempts = 10

    func addInbox(to object: inout ExportedObject) {
        object.handleCall(AgentInbox.list) { options, context in
            try await self.list(NotificationFilter(options: options), for: context.sender?.text ?? "")
        }
        object.handle(AgentInbox.listProblem) { options in
            try await self.listProblem(NotificationFilter(options: options))
        }
        object.handle(AgentInbox.get) { id in
            let notification = try await self.notification(Self.checked(id))
            return await self.dictionary(notification)
        }
        object.handle(AgentInbox.picture) { id in
            await self.popups.picture(of: try await self.pictured(Self.checked(id)), self.identity.key) ?? ""
        }
        object.handle(AgentInbox.hasMore) { tab in try await self.hasMore(tab) }
        object.handle(AgentInbox.fetchMore) { tab in UInt32(clamping: try await self.fetchMore(tab)) }
        object.handle(AgentInbox.refresh) { try await self.refresh() }
        object.handle(AgentInbox.testRules) { id in
            await self.popups.ruleChecks(try await self.notification(Self.checked(id)), of: self.identity.key)
        }
    }

    /// The view of a tab; the whole inbox if the id is empty.
    func predicate(_ tab: String) throws(DBusError) -> InboxPredicate {
        if tab.isEmpty { return .inbox }
        if let known = inbox.tabs.first(where: { $0.id == tab }) { return known.predicate }
        let names = inbox.tabs.map(\.id).joined(separator: ", ")
        let hint = names.isEmpty ? "The configuration defines no tabs." : "The tabs are \(names)."
        throw DBusError(.invalidArgs, "There is no tab \"\(tab)\". \(hint)")
    }

    /// Why the last list of a view may lack notifications, as a sentence; empty: it lacks none.
    private func listProblem(_ filter: NotificationFilter) throws(DBusError) -> String {
        guard let predicate = try predicate(filter.tab).narrowed(by: filter) else { return "" }
        if pageFailures[predicate] != nil, connection.state == .unauthorized, let failure = connection.failure {
            return failure.sentence
        }
        if let failure = pageFailures[predicate] { return failure }
        return inbox.hasGap(predicate)
            ? "More notifications were created at the same time than the service returns at once; some may be missing."
            : ""
    }

    /// Returns when the inbox is loaded: that of an account that is just online is in a moment.
    func waitForInbox() async throws(DBusError) {
        if !inbox.isKnown { try await untilRestored() }
        if !inbox.isKnown, connection.state == .online {
            _ = await firstReport.wait(atMost: Self.loadingTimeout, clock: environment.clock)
        }
        guard inbox.isKnown else { throw notLoaded }
    }

    /// Why nothing is known about the inbox. An empty list would say that there are no notifications.
    var notLoaded: DBusError {
        let name = connection.state == .unauthorized ? AgentErrors.unauthorized : AgentErrors.offline
        var words = "The inbox of \"\(identity.name)\" is not loaded yet: the account is \(connection.state.rawValue)"
        if let next = connection.nextAttempt?.milliseconds, next > environment.now().milliseconds {
            words += ", next attempt in \((next - environment.now().milliseconds + 999) / 1000) s"
        }
        return DBusError(name, "\(words). \(connection.failure?.sentence ?? "Try again in a moment.")")
    }

    /// Loads pages until a view has enough notifications that pass a filter, a reply has no room for more, or no more
    /// can be loaded. Without a connection, what is kept has to suffice.
    func load(_ needed: Int, of predicate: InboxPredicate, for filter: NotificationFilter) async throws(DBusError) {
        while let missing = missing(needed, of: predicate, for: filter) {
            do throws(ServiceFailure) {
                try await loadPage(of: predicate, size: min(max(missing, service.pageSize), Self.longestPage))
            } catch {
                logger.debug("cannot load a page", metadata: ["reason": "\(error.sentence)"])
                guard error.isTransient || error.kind == .exhausted else { throw error.busError }
                return keep(failure: error.sentence, of: predicate)
            }
        }
    }

    /// How many notifications have to be loaded; nil: none.
    private func missing(_ needed: Int, of predicate: InboxPredicate, for filter: NotificationFilter) -> Int? {
        guard inbox.hasMore(predicate) else { return nil }
        if let since = filter.since, let end = inbox.reach[predicate].end, !end.isPinned,
            inbox.known(end.id).map({ $0.created < since }) ?? false
        {
            return nil
        }
        do throws(StoreError) {
            let missing = try needed - inbox.count(predicate, filter, atMost: needed)
            guard missing > 0, try inbox.size(predicate, filter) <= environment.replyLimits.size else { return nil }
            return missing
        } catch {
            report(error)
            return nil
        }
    }

    /// Keeps why notifications of a view are missing, for ``listProblem(_:)``.
    func keep(failure: String, of predicate: InboxPredicate) {
        // Views are not limited in number, unlike their pages.
        if pageFailures.count >= Self.failureLimit { pageFailures = [:] }
        pageFailures[predicate] = failure
    }

    private func hasMore(_ tab: String) throws(DBusError) -> Bool { inbox.hasMore(try predicate(tab)) }

    /// Returns the number of added notifications.
    private func fetchMore(_ tab: String) async throws(DBusError) -> Int {
        let predicate = try predicate(tab)
        guard inbox.hasMore(predicate) else { return 0 }
        return try await request { () async throws(ServiceFailure) in
            try await self.loadPage(of: predicate, size: self.service.pageSize)
        }
    }

    /// Loads the next page of a view, one page at a time. Returns the number of added notifications.
    @discardableResult
    private func loadPage(of predicate: InboxPredicate, size: Int) async throws(ServiceFailure) -> Int {
        let cancellation = ServiceFailure(.transient, "The account was stopped.")
        return try await loading.pass(orThrow: cancellation) { () async throws(ServiceFailure) in
            try await self.loadNextPage(of: predicate, size: size)
        }
    }

    private func loadNextPage(of predicate: InboxPredicate, size: Int) async throws(ServiceFailure) -> Int {
        guard var request = try nextPage(of: predicate) else { return 0 }
        for _ in 0..<Self.attempts {
            let page: ViewPage
            do throws(ServiceFailure) { page = try await loaded(request, size) } catch {
                inbox.reportedSinceRequest = nil
                guard error.isTransient, connection.state != .online else { throw error }
                return try listKept(size, of: predicate, orThrow: error)
            }
            let (added, next) = add(page, for: request)
            guard let next else { return added }
            request = next
        }
        throw ServiceFailure(.transient, "The list changed while it was loaded. Try again.")
    }

    private func nextPage(of predicate: InboxPredicate) throws(ServiceFailure) -> ViewPageRequest? {
        let limit = max(Self.rowLimit, inboxes.assumeIsolated { $0.limits.count })
        guard (try? inbox.rowCount) ?? 0 < limit else {
            let sentence = "\(limit) notifications are loaded, no more are kept. List a shorter time."
            throw ServiceFailure(.exhausted, sentence)
        }
        do throws(StoreError) { return try inbox.nextPage(of: predicate) } catch {
            report(error)
            return nil
        }
    }

    private func loaded(_ request: ViewPageRequest, _ size: Int) async throws(ServiceFailure) -> ViewPage {
        try await service.page(
            of: request.predicate,
            after: request.place,
            size: size + request.ties,
            skipsTies: request.skipsTies
        )
    }

    /// - Returns: The number of notifications that were not listed before, and the request that is made instead.
    private func add(_ page: ViewPage, for request: ViewPageRequest) -> (added: Int, next: ViewPageRequest?) {
        var (added, next) = (0, ViewPageRequest?.none)
        publish { (table) throws(StoreError) in
            let result = try table.add(page, for: request)
            (added, next) = (result.added, result.next)
            return result.differences
        }
        return (added, next)
    }

    /// Lists more of what is kept: the service cannot be reached. With the next connection it is loaded again.
    private func listKept(
        _ size: Int,
        of predicate: InboxPredicate,
        orThrow failure: ServiceFailure
    ) throws(ServiceFailure) -> Int {
        var added = 0
        publish { (table) throws(StoreError) in
            let result = try table.listKept(size, of: predicate)
            added = result.added
            return result.differences
        }
        if added == 0 { throw failure }
        return added
    }

    private func refresh() async throws(DBusError) {
        try await request { () async throws(ServiceFailure) in try await self.service.refresh() }
        await synchronize()
        publish { (table) throws(StoreError) in try table.connected() }
    }

    func notification(_ id: NotificationID) async throws(DBusError) -> Notification {
        if let notification = inbox[id] { return notification }
        try checkForm(of: [id])
        do throws(ServiceFailure) {
            let notification = try await service.notification(id)
            publish { (table) throws(StoreError) in try table.apply(changed: notification) }
            return inbox.known(id) ?? notification
        } catch {
            if error.kind == .notFound { publish { (table) throws(StoreError) in try table.remove(id) } }
            if error.isTransient, let known = inbox.known(id) { return known }
            throw error.busError
        }
    }

    private func dictionary(_ notification: Notification) -> [String: Value] { publication.dictionary(notification) }

    /// A notification for its picture. What is kept suffices: a client may ask for each row of a list.
    private func pictured(_ id: NotificationID) async throws(DBusError) -> Notification {
        if let known = inbox.known(id) { return known }
        return try await notification(id)
    }

    /// Performs a request to the service, and converts its failure to a D-Bus error.
    func request<Result: Sendable>(_ body: () async throws(ServiceFailure) -> Result) async throws(DBusError) -> Result
    {
        do { return try await body() } catch { throw error.busError }
    }
}
