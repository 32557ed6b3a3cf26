/// One notification row, stored as the JSON object that is sent. Any member may have any value.
///
/// The accessors are lenient, since the sandbox also serves malformed rows.
package struct StoredRow: Sendable, Equatable {
    package var json: JSON

    package init(json: JSON) { self.json = json }

    package subscript(key: String) -> JSON? {
        get { json[key] }
        set {
            guard var object = json.object else { return }
            object[key] = newValue
            json = .object(object)
        }
    }

    package var id: String { json["n_id"]?.string ?? "" }
    /// Milliseconds since the Unix epoch; 0 in a malformed row.
    package var createdOn: Int64 { json["created_on"]?.integer ?? 0 }
    package var isPinned: Bool { json["is_pinned"]?.bool ?? false }
    package var isArchived: Bool { json["archived"]?.bool ?? false }
    package var isRead: Bool { json["read_on"]?.integer != nil }
    package var category: String { json["n_category"]?.string ?? "" }
    package var tags: [String] { (json["tags"] ?? json["message"]?["tags"])?.strings ?? [] }
    /// Milliseconds since the Unix epoch; nil = never.
    package var expiry: Int64? { json["expiry"]?.integer.flatMap { $0 == 0 ? nil : $0 } }

    package func isExpired(at now: Int64) -> Bool { expiry.map { $0 <= now } ?? false }

    /// The row at `now`: what has expired is archived.
    func archivedIfExpired(at now: Int64) -> StoredRow {
        guard !isArchived, isExpired(at: now) else { return self }
        var row = self
        row["archived"] = true
        return row
    }

    /// Server order: pinned first, then newest first; the id makes it total.
    static func precedes(_ left: StoredRow, _ right: StoredRow) -> Bool {
        if left.isPinned != right.isPinned { return left.isPinned }
        if left.createdOn != right.createdOn { return left.createdOn > right.createdOn }
        return left.id > right.id
    }

    /// Keys that `publish` puts into `message`; all others are members of the row.
    static let messageKeys: Set<String> = [
        "schema", "header", "text", "subtext", "avatar", "url", "open_in_new_tab", "extra_data", "actions",
    ]

    /// Completes a row: flat message keys move into `message`, missing members get the service's defaults.
    static func complete(_ given: [String: JSON], id: String, tenant: String, now: Int64) -> StoredRow {
        var row: [String: JSON] = [
            "n_id": .string(id), "n_category": "system", "tenant_id": .string(tenant), "importance": "default",
            "created_on": .integer(now), "seen_on": nil, "read_on": nil, "interacted_on": nil, "archived": false,
            "tags": [], "expiry": nil, "is_expiry_visible": false, "is_pinned": false, "can_user_unpin": false,
        ]
        var message: [String: JSON] = [
            "schema": "1", "header": nil, "text": "", "subtext": nil, "avatar": nil, "url": nil,
            "open_in_new_tab": nil, "extra_data": nil, "actions": nil,
        ]
        for (key, value) in given where key != "message" {
            if messageKeys.contains(key) { message[key] = value } else { row[key] = value }
        }
        row["message"] = given["message"] ?? .object(message)
        if let nested = given["message"]?.object {
            row["message"] = .object(message.merging(nested) { $1 })
        }
        return StoredRow(json: .object(row))
    }

    /// Overwrites the given members; those of `message` one by one.
    mutating func patch(_ fields: [String: JSON]) {
        for (key, value) in fields {
            if key == "message", let changes = value.object {
                self["message"] = .object((self["message"]?.object ?? [:]).merging(changes) { $1 })
            } else if Self.messageKeys.contains(key) {
                self["message"] = .object((self["message"]?.object ?? [:]).merging([key: value]) { $1 })
            } else {
                self[key] = value
            }
        }
    }
}

/// A ULID: 48 bits of milliseconds and 80 bits of counter, in Crockford's base 32, so that ids sort by time.
enum ULID {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    static func make(milliseconds: Int64, counter: UInt64) -> String {
        var text = ""
        for shift in stride(from: 45, through: 0, by: -5) {
            text.append(alphabet[Int(milliseconds >> Int64(shift)) & 31])
        }
        for shift in stride(from: 75, through: 0, by: -5) {
            text.append(shift > 63 ? "0" : alphabet[Int(truncatingIfNeeded: counter >> UInt64(shift)) & 31])
        }
        return text
    }
}
