import Basics

/// The open popups of the current server by their ids, in the order in which they were shown.
struct OpenPopups: Equatable, Sendable {
    private var popups: [UInt32: OpenPopup]
    /// Oldest first.
    private(set) var ids: [UInt32]

    init(_ popups: [UInt32: OpenPopup] = [:]) {
        self.popups = popups
        ids = popups.keys.sorted()
    }

    subscript(id: UInt32) -> OpenPopup? { popups[id] }

    /// Adds a popup, or replaces the one with this id.
    mutating func add(_ popup: OpenPopup, id: UInt32) {
        if popups.updateValue(popup, forKey: id) == nil { ids.append(id) }
    }

    /// Removes popups.
    ///
    /// - Returns: The ids of those that were open.
    mutating func remove(_ removed: some Sequence<UInt32>) -> [UInt32] {
        let known = removed.filter { popups.removeValue(forKey: $0) != nil }
        ids.removeAll { known.contains($0) }
        return known
    }

    /// Stores the activation token for a click on this popup; an empty one removes it.
    mutating func setToken(_ token: String, of id: UInt32) { popups[id]?.token = token.isEmpty ? nil : token }

    /// Records that a popup lacks its picture.
    mutating func setMissingPicture(_ picture: MissingPicture, of id: UInt32) { popups[id]?.missingPicture = picture }

    /// The popups that lack this picture, the oldest first. They no longer wait for it.
    mutating func takeMissingPictures(_ url: PictureURL) -> [(id: UInt32, popup: Popup)] {
        ids.compactMap { id in
            guard let picture = popups[id]?.missingPicture, picture.url == url else { return nil }
            popups[id]?.missingPicture = nil
            return (id, picture.popup)
        }
    }

    /// The oldest popups, which exceed the limit when one with this id is added.
    func excess(adding id: UInt32, limit: Int) -> [UInt32] {
        popups[id] == nil ? Array(ids.prefix(max(0, ids.count + 1 - limit))) : []
    }

    /// The notifications of an account in open popups, those of the newest popup first.
    func references(of account: String) -> [NotificationReference] {
        ids.reversed().flatMap { popups[$0]?.references ?? [] }.filter { $0.account == account }
    }

    /// The newest popup that shows only this notification.
    func popup(of reference: NotificationReference) -> OpenPopup? {
        ids.reversed().lazy.compactMap { popups[$0] }.first { $0.isOpen && $0.shows(reference) }
    }

    /// The newest popup of this urgency that may be replaced.
    ///
    /// - Parameter isSummary: Only a summary.
    func newest(urgency: UInt8, isSummary: Bool) -> UInt32? {
        ids.last { id in
            guard let popup = popups[id], popup.standing == .open, popup.urgency == urgency else { return false }
            return popup.isSummary || !isSummary
        }
    }

    /// The popups of this urgency that show one of these notifications alone and may become part of a summary.
    func singles(of references: Set<NotificationReference>, urgency: UInt8) -> [UInt32] {
        guard !references.isEmpty else { return [] }
        return ids.filter { id in
            guard let popup = popups[id], popup.standing == .open, popup.urgency == urgency, popup.thread == nil,
                !popup.isResident, !popup.isSummary, let reference = popup.references.first
            else { return false }
            return references.contains(reference)
        }
    }

    /// The newest popup of a thread that may be replaced.
    func newest(of thread: String) -> UInt32? {
        ids.last { popups[$0]?.thread == thread && popups[$0]?.standing == .open }
    }

    /// The popups of a thread that were put into the server's list without a banner.
    func listed(of thread: String) -> [UInt32] {
        ids.filter { popups[$0]?.thread == thread && popups[$0]?.standing == .listed }
    }

    /// The threads of the popups that may be replaced.
    var threads: Set<String> {
        Set(popups.values.lazy.filter { $0.standing == .open }.compactMap(\.thread))
    }

    // MARK: Closed popups

    /// The number of popups that are not closed.
    var openCount: Int { popups.values.reduce(0) { $0 + ($1.isOpen ? 1 : 0) } }

    /// Whether a popup is known to be open.
    var isAnyOpen: Bool { popups.values.contains { $0.isOpen && !$0.isRestored } }

    /// Whether each older popup is closed, or may be.
    func isOldest(_ id: UInt32) -> Bool {
        ids.prefix { $0 != id }.allSatisfy { popups[$0]?.isOpen == false || popups[$0]?.isRestored == true }
    }

    /// - Parameter isPutAway: Whether it is shown again.
    mutating func setClosed(_ id: UInt32, isPutAway: Bool = false) {
        popups[id]?.standing = isPutAway ? .putAway : .closed
    }

    /// The oldest closed popups beyond the limit.
    func excessClosed(limit: Int) -> [UInt32] {
        let closed = ids.filter { popups[$0]?.standing == .closed }
        return Array(closed.prefix(max(0, closed.count - limit)))
    }

    // MARK: Expiry and withdrawal

    /// The popups whose notification has expired.
    func expired(at now: Timestamp) -> [UInt32] { ids.filter { popups[$0]?.expires.map { $0 <= now } ?? false } }

    /// The time of the next expiry.
    var nextExpiry: Timestamp? { popups.values.compactMap(\.expires).min() }

    /// Removes notifications from the popups.
    ///
    /// - Parameter isKept: Not from these.
    /// - Returns: The popups without a notification that is left.
    mutating func withdraw(
        except isKept: (OpenPopup) -> Bool,
        _ isWithdrawn: (NotificationReference) -> Bool
    ) -> [UInt32] {
        ids.filter { id in
            guard let popup = popups[id], !isKept(popup) else { return false }
            return popups[id]?.withdraw(isWithdrawn) == true
        }
    }
}
