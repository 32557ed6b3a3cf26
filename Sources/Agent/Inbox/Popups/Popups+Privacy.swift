/// What open popups may show: no texts if the configuration hides them, and nothing on a locked screen if it lets
/// popups wait until that is unlocked. Where a replaced popup would appear on the locked screen again, it is closed.
extension Popups {
    var hidesText: Bool { policy.text == .hide || isLocked && policy.locked == .hideText }

    /// A popup as it may be shown now.
    func hidingText(_ kept: SavedPopup) -> SavedPopup {
        var kept = kept
        let full = kept.open.revealed ?? kept.popup
        kept.popup = hidesText ? policy.withoutText(full, of: kept.open, features: features) : full
        kept.open.revealed = hidesText ? full : nil
        kept.open.buttons = kept.popup.buttons
        return kept
    }

    /// Closes, replaces and shows again popups that may show less or more than they do. A popup that is being replaced
    /// is adapted when the server has answered.
    mutating func adapt(_ ids: [UInt32]) -> [Effect] {
        guard server != nil else { return [] }
        let busy = Set(calls.flatMap { $0.merges + [$0.replaces] })
        var effects: [Effect] = []
        var changed: [UInt8: [UInt32]] = [:]
        for id in ids where !busy.contains(id) {
            guard let open = shown[id], let content = open.content else { continue }
            switch open.standing {
            case .open where putsAway(open, content), .listed where putsAway(open, content):
                shown.setClosed(id, isPutAway: true)
                effects.append(.close(id: id))
            case .putAway where !holds.suppresses(open.urgency) && !putsAway(open, content),
                .open where isOutdated(open, content), .listed where isOutdated(open, content):
                changed[open.urgency, default: []].append(id)
            default: break
            }
        }
        for (urgency, ids) in changed.sorted(by: { $0.key > $1.key }) { show(again: ids, urgency) }
        return effects
    }

    /// Whether the popup is closed until the session is unlocked.
    private func putsAway(_ open: OpenPopup, _ content: Popup) -> Bool {
        holds.reasons.contains(.locked) || isLocked && hidesText && !changesQuietly && isOutdated(open, content)
    }

    /// Whether a replaced popup does not appear on the screen again.
    private var changesQuietly: Bool { features.quirks.replacesInPlace || features.quirks.listsLowUrgency }

    /// Whether the popup shows texts that it must not show, or hides some that it may.
    private func isOutdated(_ open: OpenPopup, _ content: Popup) -> Bool {
        guard hidesText else { return open.revealed != nil }
        return open.revealed == nil && !content.looksLike(policy.withoutText(content, of: open, features: features))
    }

    /// Shows popups as they may be shown now, without sound. Where each would appear on the screen again, many become
    /// one summary, and also two without texts: Plasma rejects a popup that equals one of the last second.
    private mutating func show(again ids: [UInt32], _ urgency: UInt8) {
        let isPutAway = ids.contains { shown[$0]?.isOpen == false }
        if ids.count > (hidesText ? 1 : policy.groupAbove), !changesQuietly || isPutAway {
            let replaced = ids.last { shown[$0]?.isOpen == true }
            return summarize([], urgency, count: 0, replacing: replaced, merging: ids)
        }
        for id in ids {
            guard let open = shown[id], let content = open.content else { continue }
            var kept = SavedPopup(open: open, popup: open.revealed ?? content)
            (kept.open.revealed, kept.open.isRestored, kept.popup.sound) = (nil, false, .silent)
            kept.open.standing = .open
            if listsSilently(kept.popup, isNew: !open.isOpen) {
                kept.popup.urgency = Popup.low
                kept.open.standing = .listed
            }
            if !open.isOpen {
                calls.append(Call(waiting: [], kept: kept, replaces: 0, merges: [id]))
            } else if features.quirks.replacesByClosing {
                // An update would end with the popup that is closed for it.
                calls.append(Call(waiting: [], kept: kept, replaces: id))
            } else {
                update(kept, id: id)
            }
        }
    }

    /// Whether the server puts a popup into its list without a banner if its urgency is low.
    private func listsSilently(_ popup: Popup, isNew: Bool) -> Bool {
        features.quirks.listsLowUrgency && (isNew || !features.quirks.losesChangedUrgency)
            && popup.urgency != Popup.critical
    }
}
