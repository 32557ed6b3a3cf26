/// One notification of the simulated MagicBell.
package struct StoredNotification: Sendable, Equatable {
    package var id: String
    /// Title, content, action URL, category, topic and custom attributes, and whatever else a command added: members
    /// of the API's JSON, also malformed ones. They replace members that are computed.
    package var members: [String: JSON]
    /// Milliseconds since the Unix epoch, like all times here.
    package var sentAt: Int64
    package var seenAt: Int64?
    package var readAt: Int64?
    package var archivedAt: Int64?
    package var updatedAt: Int64

    package var title: String { members["title"]?.string ?? "" }
    package var category: String? { members["category"]?.string }
    package var topic: String? { members["topic"]?.string }

    /// Makes a notification from members of the API's JSON. Times are in Unix seconds, as in the API (v1).
    init(_ members: [String: JSON], id: String, now: Int64) {
        var members = members
        func time(_ key: String) -> Int64? {
            let milliseconds: Int64? =
                switch members[key] {
                case .integer(let seconds)?:
                    Int64(exactly: Double(seconds) * 1000) == nil ? nil : seconds &* 1000
                case .number(let seconds)?: Int64(exactly: (seconds * 1000).rounded())
                default: nil
                }
            // A value that is not a time stays as it is, so that an answer can be malformed.
            if milliseconds != nil { members[key] = nil }
            return milliseconds
        }
        self.id = members.removeValue(forKey: "id")?.string ?? id
        sentAt = time("sent_at") ?? now
        seenAt = time("seen_at")
        readAt = time("read_at")
        archivedAt = time("archived_at")
        updatedAt = now
        self.members = members
    }

    /// An action on one notification. A time that is already set stays.
    package enum Action: String, Sendable, CaseIterable {
        case seen, read, unread, archive, unarchive

        /// The event that reports the action; nil: none is documented.
        var eventName: String? {
            switch self {
            case .seen: nil
            case .read: "notifications/read"
            case .unread: "notifications/unread"
            case .archive: "notifications/archived"
            case .unarchive: "notifications/unarchived"
            }
        }
    }

    mutating func apply(_ action: Action, now: Int64) {
        updatedAt = now
        switch action {
        case .seen: seenAt = seenAt ?? now
        case .read:
            seenAt = seenAt ?? now
            readAt = readAt ?? now
        case .unread: readAt = nil
        case .archive: archivedAt = archivedAt ?? now
        case .unarchive: archivedAt = nil
        }
    }

    /// The newest first; of the same time, the one created last.
    static func precedes(_ left: StoredNotification, _ right: StoredNotification) -> Bool {
        (left.sentAt, left.id) > (right.sentAt, right.id)
    }

    // MARK: JSON

    private static let texts = ["title", "content", "action_url", "category", "topic", "custom_attributes"]

    /// The object of the REST API (v1); times in seconds.
    func json(for user: SimulatedUser) -> JSON {
        func seconds(_ time: Int64?) -> JSON { time.map { .integer($0 / 1000) } ?? .null }
        var json: [String: JSON] = [
            "id": .string(id), "sent_at": seconds(sentAt), "seen_at": seconds(seenAt), "read_at": seconds(readAt),
            "archived_at": seconds(archivedAt),
            "recipient": [
                "id": .string(user.id), "external_id": user.externalID.map(JSON.string) ?? .null,
                "email": user.email.map(JSON.string) ?? .null, "first_name": nil, "last_name": nil,
                "custom_attributes": [:], "phone_numbers": [],
            ],
        ]
        for key in Self.texts { json[key] = .null }
        return .object(json.merging(members) { $1 })
    }

    package enum Status: String, Sendable, CaseIterable { case unseen, unread, read, archived }

    /// The one status of the user API (v2).
    package var status: Status {
        if archivedAt != nil { return .archived }
        if readAt != nil { return .read }
        return seenAt == nil ? .unseen : .unread
    }

    /// The object of the user API (v2); times in ISO 8601.
    func userAPIJSON(for user: SimulatedUser) -> JSON {
        func date(_ time: Int64?) -> JSON { time.map { .string(ISODate.text($0)) } ?? .null }
        var json: [String: JSON] = [
            "id": .string(id), "user_id": .string(user.id), "status": .string(status.rawValue),
            "created_at": date(sentAt), "updated_at": date(updatedAt), "sent_at": date(sentAt),
            "seen_at": date(seenAt), "read_at": date(readAt), "archived_at": date(archivedAt), "discarded_at": nil,
        ]
        for key in Self.texts { json[key] = .null }
        return .object(json.merging(members) { $1 })
    }
}

/// An id like those of the service: a UUID of version 7 (RFC 9562), so that ids sort by time and then by order.
enum TimedUUID {
    static func make(milliseconds: Int64, counter: UInt64) -> String {
        func hex(_ value: UInt64, _ width: Int) -> String {
            let text = String(value, radix: 16)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        let time = hex(UInt64(max(0, milliseconds)) & 0xffff_ffff_ffff, 12)
        return "\(time.prefix(8))-\(time.suffix(4))-7000-8000-\(hex(counter & 0xffff_ffff_ffff, 12))"
    }
}
