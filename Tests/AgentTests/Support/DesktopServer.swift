import Agent
import Basics
import DBus

/// A notification server with the manners of a desktop's, as they were measured on that desktop.
actor DesktopServer {
    /// How it differs from the specification, and from other servers.
    struct Manners: Sendable {
        var name: String
        var vendor: String
        var version: String
        /// The number of popups that it keeps; it closes the oldest beyond that, with this reason.
        var keptPopups: (count: Int, reason: UInt32)?
        /// The number of popups that it shows. It reports a further one as expired before it answers, and never shows
        /// it; one that is to replace another stays as it was.
        var popupLimit: Int?
        /// The lowest value of the hint `urgency` for which that limit and its do-not-disturb do not count.
        var unlimitedUrgency: UInt8 = 2
        /// Whether a popup takes the place of another with the same title and text, which is reported as expired.
        var mergesEqual = false
        /// Whether it reports no clicks on the popups of a connection that has ended, until another replaces them.
        var forgetsSender = false
        /// The reason that its close button reports.
        var dismissal: UInt32 = 2
        /// Whether it closes the popups of a connection that ends, with the reason of a dismissal.
        var closesWithSender = false
        /// Whether a popup of low urgency has no banner, and one that replaces it has none either.
        var listsLowUrgency = false
        /// Whether a popup is no longer shown after its urgency has changed.
        var losesChangedUrgency = false
        /// Whether it leaves a closed popup on the screen until its time is over. A click ends it.
        var leavesClosed = false
        var takesTitlesForMarkup = false
        var dropsButtonAfterDefault = false

        static let gnome48 = Manners(
            name: "gnome-shell",
            vendor: "GNOME",
            version: "48.7",
            keptPopups: (10, 1),
            closesWithSender: true,
            listsLowUrgency: true,
            losesChangedUrgency: true
        )
        static let cinnamon = Manners(
            name: "cinnamon",
            vendor: "GNOME",
            version: "6.4.10",
            keptPopups: (10, 2),
            dismissal: 0
        )
        static let budgie = Manners(
            name: "Budgie Notification Server",
            vendor: "Budgie Desktop Developers",
            version: "10.9.2",
            popupLimit: 3,
            unlimitedUrgency: 3,
            takesTitlesForMarkup: true,
            dropsButtonAfterDefault: true
        )
        static let notificationDaemon = Manners(
            name: "Notification Daemon",
            vendor: "GNOME",
            version: "3.20.0",
            leavesClosed: true
        )
        static let dunst = Manners(name: "dunst", vendor: "knopwob", version: "1.12.2", mergesEqual: true)
        static let plasma67 = Manners(name: "Plasma", vendor: "KDE", version: "6.7.4", forgetsSender: true)
        static let lxqt21 = Manners(name: "lxqt-notificationd", vendor: "lxqt.org", version: "2.1.0")
    }

    /// A popup as the user sees it.
    struct Shown: Equatable, Sendable {
        var id: UInt32
        var title: String
        var text: String
        /// The keys of its buttons.
        var buttons: [String]
        var hasBanner: Bool
        var hints: [String: Value]
    }

    private let bus: Bus
    private let manners: Manners
    private var open: [Shown] = []
    /// Closed popups that are still on the screen.
    private var left: [Shown] = []
    private var lastID: UInt32 = 0
    /// Clicks on these are not reported.
    private var deaf: Set<UInt32> = []
    /// The ids of the popups of a connection that has ended, which are closed at the next call of this method.
    private var ended: (ids: [UInt32], at: String) = ([], "")
    private let arrivals = Mailbox<Shown>()
    /// Each popup when it is shown. For one reader.
    nonisolated var popups: Mailbox<Shown>.Messages { arrivals.messages }
    private let requestedEnds = Mailbox<UInt32>()
    /// The id of each popup that its program has closed. For one reader.
    nonisolated var closed: Mailbox<UInt32>.Messages { requestedEnds.messages }

    /// The popups that it has and does not show.
    private var lost: Set<UInt32> = []

    /// The titles of the popups on the screen, the oldest first.
    var titles: [String] { (left + open).filter { !lost.contains($0.id) }.map(\.title) }

    init(bus: Bus, _ manners: Manners) {
        self.bus = bus
        self.manners = manners
    }

    /// Begins to own the name.
    func start() async throws {
        var object = ExportedObject(FreedesktopNotifications.path)
        object.handle(FreedesktopNotifications.getServerInformation) { [manners] in
            (manners.name, manners.vendor, manners.version, "1.2")
        }
        object.handle(FreedesktopNotifications.getCapabilities) {
            try await self.closeEnded(at: "GetCapabilities")
            return ["actions", "body", "body-markup"]
        }
        object.handle(FreedesktopNotifications.closeNotification) { id in try await self.closeAsRequested(id) }
        object.handle(FreedesktopNotifications.notify) { _, replaced, _, summary, body, actions, hints, timeout in
            try await self.notify(replaced, summary, body, actions, hints, timeout)
        }
        try await bus.export(object)
        _ = try await bus.requestName(FreedesktopNotifications.busName)
    }

    private func notify(
        _ replaced: UInt32,
        _ summary: String,
        _ body: String,
        _ actions: [String],
        _ hints: [String: Value],
        _ timeout: Int32
    ) async throws -> UInt32 {
        try await closeEnded(at: "Notify")
        if timeout == 1 {
            if open.contains(where: { $0.id == replaced }) {
                try await close(replaced, reason: 1)
                return replaced
            }
            lastID += 1
            open.append(Shown(id: lastID, title: summary, text: body, buttons: [], hasBanner: false, hints: hints))
            return lastID
        }
        let index = open.firstIndex { $0.id == replaced }
        if index == nil { lastID += 1 }
        if let limit = manners.popupLimit, open.count >= limit, urgency(hints) < manners.unlimitedUrgency {
            let id = index == nil ? lastID : replaced
            try await report(id, reason: 1)
            return id
        }
        if manners.mergesEqual, let same = open.first(where: { $0.title == summary && $0.text == body }) {
            try await close(same.id, reason: 1)
        }
        deaf.remove(replaced)
        let isListed = manners.listsLowUrgency && hints["urgency"] == .byte(0)
        let popup = Shown(
            id: index == nil ? lastID : replaced,
            title: manners.takesTitlesForMarkup ? Self.text(ofMarkup: summary) : summary,
            text: body,
            buttons: buttons(actions),
            hasBanner: !isListed && (index.map { open[$0].hasBanner } ?? true),
            hints: hints
        )
        if let index {
            let isLost = manners.losesChangedUrgency && urgency(open[index].hints) != urgency(hints)
            open[index] = popup
            if isLost { lost.insert(popup.id) }
        } else {
            open.append(popup)
        }
        if let (count, reason) = manners.keptPopups, open.count > count { try await close(open[0].id, reason: reason) }
        arrivals.send(popup)
        return popup.id
    }

    private func buttons(_ actions: [String]) -> [String] {
        var shown: [String] = []
        var index = 0
        while index < actions.count {
            if actions[index] != "default" {
                shown.append(actions[index])
            } else if manners.dropsButtonAfterDefault {
                index += 2
            }
            index += 2
        }
        return shown
    }

    /// Markup as a label shows it; text that is no markup as it is.
    private static func text(ofMarkup text: String) -> String {
        let entities = ["&amp;", "&lt;", "&gt;"]
        let isMarkup = text.split(separator: "&", omittingEmptySubsequences: false).dropFirst().allSatisfy { rest in
            entities.contains { ("&" + rest).hasPrefix($0) }
        }
        guard isMarkup else { return text }
        let untagged = text.replacing("<b>", with: "").replacing("</b>", with: "")
        return untagged.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    }

    // MARK: Ends

    private func closeAsRequested(_ id: UInt32) async throws {
        if manners.leavesClosed { left += open.filter { $0.id == id && $0.hasBanner } }
        try await close(id, reason: 3)
        requestedEnds.send(id)
    }

    private func close(_ id: UInt32, reason: UInt32) async throws {
        guard open.contains(where: { $0.id == id }) else { return }
        open.removeAll { $0.id == id }
        try await report(id, reason: reason)
    }

    private func report(_ id: UInt32, reason: UInt32) async throws {
        let path = FreedesktopNotifications.path
        try await bus.emit(FreedesktopNotifications.notificationClosed, id, reason, from: path)
    }

    private func urgency(_ hints: [String: Value]) -> UInt8 {
        if case .byte(let urgency)? = hints["urgency"] { urgency } else { 1 }
    }

    /// The time of a popup is over.
    func expire(_ title: String) async throws {
        guard let popup = open.first(where: { $0.title == title }) else { return }
        try await close(popup.id, reason: 1)
    }

    /// Another program shows a popup.
    func showForeign(_ title: String) {
        lastID += 1
        open.append(Shown(id: lastID, title: title, text: "", buttons: [], hasBanner: true, hints: [:]))
    }

    /// The user presses the close button of a popup.
    func dismiss(_ title: String) async throws {
        guard let popup = open.first(where: { $0.title == title }) else { return }
        try await close(popup.id, reason: manners.dismissal)
    }

    /// The user clicks a popup.
    func click(_ title: String) async throws {
        guard let popup = open.first(where: { $0.title == title }), !deaf.contains(popup.id) else { return }
        let path = FreedesktopNotifications.path
        try await bus.emit(FreedesktopNotifications.actionInvoked, popup.id, "default", from: path)
        if manners.leavesClosed { try await close(popup.id, reason: 2) }
    }

    /// The connection that showed the popups has ended. The server notices that at the next call of this method.
    func senderEnded(noticedAt method: String) {
        if manners.closesWithSender { ended = (open.map(\.id), method) }
        if manners.forgetsSender { deaf = Set(open.map(\.id)) }
    }

    private func closeEnded(at method: String) async throws {
        guard ended.at == method else { return }
        for id in ended.ids { try await close(id, reason: 2) }
        ended = ([], "")
    }
}
