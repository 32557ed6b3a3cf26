/// The `store` parameter of the list and the elements of `stores` of the count.
package struct StoreQuery: Sendable, Equatable {
    package var id: String
    package var read: Bool?
    package var archived: Bool?
    package var tags: [String]
    package var categories: [String]

    package init(id: String, read: Bool?, archived: Bool?, tags: [String], categories: [String]) {
        self.id = id
        self.read = read
        self.archived = archived
        self.tags = tags
        self.categories = categories
    }

    /// Parses a store strictly.
    ///
    /// - Throws: ``Refusal`` naming the key that is missing, unknown, or of the wrong type.
    init(_ json: JSON) throws(Refusal) {
        guard let store = json.object, let id = store["store_id"]?.string, let query = store["query"]?.object else {
            throw Refusal(.query, "A store must be {\"store_id\":…,\"query\":{…}}, not \(json.text).")
        }
        for key in store.keys where key != "store_id" && key != "query" {
            throw Refusal(.query, "A store has no key '\(key)'.")
        }
        guard !id.isEmpty, id != "badge" else {
            throw Refusal(.query, "'\(id)' cannot be the id of a store.")
        }
        self.id = id
        read = try Self.bool("read", in: query)
        archived = try Self.bool("archived", in: query)
        tags = try Self.any("tags", in: query)
        categories = try Self.any("categories", in: query)
        for key in query.keys where !["read", "archived", "tags", "categories"].contains(key) {
            throw Refusal(.query, "The query of store '\(id)' has no key '\(key)'.")
        }
    }

    private static func bool(_ key: String, in query: [String: JSON]) throws(Refusal) -> Bool? {
        guard let value = query[key] else { return nil }
        guard let bool = value.bool else { throw Refusal(.query, "'\(key)' of a store must be true or false.") }
        return bool
    }

    private static func any(_ key: String, in query: [String: JSON]) throws(Refusal) -> [String] {
        guard let object = query[key]?.object, object.count == 1, let strings = object["or"]?.strings else {
            throw Refusal(.query, "'\(key)' of a store must be {\"or\":[strings]}.")
        }
        return strings
    }

    /// Whether a row meets all conditions. Without `archived`, archived rows do not match.
    func matches(_ row: StoredRow) -> Bool {
        (read == nil || read == row.isRead)
            && (archived ?? false) == row.isArchived
            && (tags.isEmpty || row.tags.contains { tags.contains($0) })
            && (categories.isEmpty || categories.contains(row.category))
    }
}
