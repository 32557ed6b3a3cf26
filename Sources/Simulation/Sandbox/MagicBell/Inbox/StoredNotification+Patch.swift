extension StoredNotification {
    /// With other members; `null` in `seen_at`, `read_at` and `archived_at` removes the time.
    func patched(_ patch: [String: JSON], now: Int64) -> StoredNotification {
        var result = self
        let changes = StoredNotification(patch, id: id, now: now)
        result.members.merge(changes.members) { $1 }
        if patch["sent_at"] != nil { result.sentAt = changes.sentAt }
        let times: [(String, WritableKeyPath<StoredNotification, Int64?>)] = [
            ("seen_at", \.seenAt), ("read_at", \.readAt), ("archived_at", \.archivedAt),
        ]
        for (key, path) in times {
            guard let value = patch[key] else { continue }
            result[keyPath: path] = changes[keyPath: path]
            if value.isNull { result.members[key] = nil }
        }
        result.updatedAt = now
        return result
    }
}
