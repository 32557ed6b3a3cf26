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

    func addInbox(to object: inout ExportedObject) {
        object.handleCall(AgentInbox.list) { options, context in
            try await self.list(NotificationFilter(options: options), for: context.sender?.text ?? "")
        }
        object.handle(AgentInbox.listProblem) { options in
            try await self.listProblem(NotificationFilter(options: options))
        }
        object.handle(AgentInbox.get) { id in
            let notification = try await self.complete(try await self.notification(Self.checked(id)))
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
    /// can be loaded. Without a connection, those that are loaded have to suffice.
    func load(_ needed: Int, of predicate: InboxPredicate, for filter: NotificationFilter) async throws(DBusError) {
        var all = filter
        (all.offset, all.limit) = (0, nil)
        while inbox.hasMore(predicate) {
            let loaded = inbox.list(predicate)
            let found = all.apply(to: loaded)
            let missing = needed - found.count
            if missing <= 0 || hasEnoughForReply(found.dropFirst(filter.offset)) { return }
            if let since = filter.since, let last = loaded.last, !last.isPinned, last.created < since { return }
            makeRoom(for: predicate)
            guard inbox.hasRoom else { return }
            do throws(ServiceFailure) {
                try await loadPage(of: predicate, size: min(max(missing, service.pageSize), Self.longestPage))
            } catch {
                // Another client has taken the room meanwhile.
                if error.kind == .exhausted { return }
                logger.debug("cannot load a page", metadata: ["reason": "\(error.sentence)"])
                guard error.isTransient else { throw error.busError }
                return keep(failure: error.sentence, of: predicate)
            }
        }
    }

    private func hasEnoughForReply(_ notifications: ArraySlice<Notification>) -> Bool {
        notifications.reduce(0) { $0 + $1.completeSize } > environment.loaded.replyLimit
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
        publish(inbox.use(predicate))
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
        guard inbox.hasMore(predicate) else { return 0 }
        makeRoom(for: predicate)
        if inbox.isFull {
            throw ServiceFailure(
                .exhausted,
                """
                \(InboxState.furtherLimit) further notifications are loaded, no more are kept. List older ones by \
                their time or with an offset.
                """
            )
        }
        if inbox.isLarge {
            let sentence = "The loaded notifications take \(environment.loaded.limit >> 20) MiB, no more are kept."
            throw ServiceFailure(.exhausted, "\(sentence) List them with a limit.")
        }
        let end = inbox.end(of: predicate)
        let ties = end.map { inbox.ties(at: $0, of: predicate) } ?? 0
        var page: ViewPage
        do throws(ServiceFailure) {
            page = try await service.page(of: predicate, after: end, size: size + ties, skipsTies: false)
        } catch {
            guard error.isTransient, connection.state != .online else { throw error }
            return try await addKeptPage(of: predicate, after: end, size: size, orThrow: error)
        }
        if !inbox.isContinued(predicate, by: page), inbox.end(of: predicate) != end {
            // The service has reported this part meanwhile, such as the first page after the start.
            return try await loadNextPage(of: predicate, size: size)
        }
        var (hasGap, skipsTies) = (false, false)
        if let end, page.hasMore, !inbox.isContinued(predicate, by: page) {
            // More notifications at one time than a page can have: a service that begins pages only after a time cannot
            // list the rest.
            page = try await service.page(of: predicate, after: end, size: size, skipsTies: true)
            skipsTies = true
            hasGap = !page.notifications.contains { $0.sortTime == end.time }
        }
        // A page without progress would be requested indefinitely.
        if !inbox.isContinued(predicate, by: page) { page.hasMore = false }
        keep(page, of: predicate, after: end, skipsTies: skipsTies)
        let added = add(page, to: predicate)
        if hasGap { inbox.skipTies(of: predicate) }
        return added
    }

    /// Appends a page of the copy: the service cannot be reached. It may have gaps, and is unloaded with the next
    /// connection.
    private func addKeptPage(
        of predicate: InboxPredicate,
        after end: SortKey?,
        size: Int,
        orThrow failure: ServiceFailure
    ) async throws(ServiceFailure) -> Int {
        var page = await keptPage(of: predicate, after: end, size: size)
        guard inbox.isContinued(predicate, by: page) else { throw failure }
        // The service may have more than the copy.
        page.hasMore = true
        return add(page, to: predicate)
    }

    private func add(_ page: ViewPage, to predicate: InboxPredicate) -> Int {
        let (added, differences) = inbox.add(page, to: predicate)
        publish(differences.withExtra(of: page.notifications))
        return added
    }

    /// Unloads what gives a view room to grow, also of other accounts.
    private func makeRoom(for predicate: InboxPredicate) {
        limitInbox()
        publish(inbox.makeRoom(for: predicate))
        guard inbox.isLarge else { return }
        environment.loaded.makeRoom(for: self)
        limitInbox()
    }

    private func refresh() async throws(DBusError) {
        try await request { () async throws(ServiceFailure) in try await self.service.refresh() }
        await synchronize()
        publish(inbox.dropFurtherPages())
    }

    func notification(_ id: NotificationID) async throws(DBusError) -> Notification {
        publishDue()
        if let notification = inbox[id] { return notification }
        try checkForm(of: [id])
        do throws(ServiceFailure) { return try await service.notification(id) } catch {
            if error.kind == .notFound { keep(.remove([id])) }
            if error.isTransient, let kept = await keptNotifications([id])[id], let present = inbox.present(kept) {
                return present
            }
            throw error.busError
        }
    }

    private func dictionary(_ notification: Notification) -> [String: Value] {
        publication.dictionary(notification, isLoaded: false)
    }

    /// A notification with the sender's data, which may be in the copy only; from the service, if it is not there.
    private func complete(_ notification: Notification) async throws(DBusError) -> Notification {
        guard notification.extraOnDisk != nil else { return notification }
        if let kept = await keptNotifications([notification.id])[notification.id] {
            return notification.with(kept.extra)
        }
        let id = notification.id
        let reported = try await request { () async throws(ServiceFailure) in try await self.service.notification(id) }
        return notification.with(reported.extra)
    }

    /// A notification for its picture. The copy suffices: a client may ask for each row of a list.
    private func pictured(_ id: NotificationID) async throws(DBusError) -> Notification {
        if let notification = inbox[id] { return notification }
        if let kept = await keptNotifications([id])[id], let present = inbox.present(kept) { return present }
        return try await notification(id)
    }

    /// Performs a request to the service, and converts its failure to a D-Bus error.
    func request<Result: Sendable>(_ body: () async throws(ServiceFailure) -> Result) async throws(DBusError) -> Result
    {
        do { return try await body() } catch { throw error.busError }
    }
}
