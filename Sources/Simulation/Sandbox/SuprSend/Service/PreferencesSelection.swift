/// The view of preferences that a request selects: categories, channels and language.
struct PreferencesSelection: Sendable, Equatable {
    /// A filter of categories by their tags.
    indirect enum Tags: Sendable, Equatable {
        case tag(String)
        case or([Tags])
        case and([Tags])
        case not(Tags)
        case exists(Bool)

        /// Parses a bare word, or operators in JSON; nil for any other text.
        init?(_ text: String) {
            guard text.hasPrefix("{") || text.hasPrefix("[") else {
                if text.isEmpty { return nil }
                self = .tag(text)
                return
            }
            guard let json = JSON(parsing: text), json.object != nil else { return nil }
            self.init(json)
        }

        /// An operand: a tag, or an object with one operator. "or" and "and" have a list, "not" has one operand.
        private init?(_ json: JSON) {
            if let tag = json.string {
                if tag.isEmpty { return nil }
                self = .tag(tag)
                return
            }
            guard let object = json.object, object.count == 1, let (name, value) = object.first else { return nil }
            switch (name, value.array, value.bool) {
            case ("or", let parts?, _):
                guard let parts = Self.parse(parts) else { return nil }
                self = .or(parts)
            case ("and", let parts?, _):
                guard let parts = Self.parse(parts) else { return nil }
                self = .and(parts)
            case ("not", _, _):
                guard let part = Tags(value) else { return nil }
                self = .not(part)
            case ("exists", _, let exists?): self = .exists(exists)
            default: return nil
            }
        }

        private static func parse(_ parts: [JSON]) -> [Tags]? {
            let parsed = parts.compactMap { Tags($0) }
            return parsed.count == parts.count ? parsed : nil
        }

        func holds(_ tags: [String]) -> Bool {
            switch self {
            case .tag(let tag): tags.contains(tag)
            case .or(let some): some.contains { $0.holds(tags) }
            case .and(let all): all.allSatisfy { $0.holds(tags) }
            case .not(let part): !part.holds(tags)
            case .exists(let exists): tags.isEmpty != exists
            }
        }
    }

    /// All preferences in their stored language.
    static let everything = PreferencesSelection()

    var showsOptOutChannels = true
    /// nil: all categories.
    var tags: Tags?
    /// Such as `es-AR`; nil: the stored language.
    var locale: String?

    init() {}

    /// Reads the view's parameters from a query and removes them.
    ///
    /// - Parameters:
    ///   - showsByDefault: the default of `show_opt_out_channels`.
    ///   - takesTags: whether the request may filter by tags.
    init(_ query: inout RequestQuery, showsByDefault: Bool, takesTags: Bool) throws(Refusal) {
        showsOptOutChannels = try query.takeBool("show_opt_out_channels") ?? showsByDefault
        locale = query.take("locale")
        if locale == "" { throw Refusal(.query, "'locale' is empty.") }
        guard takesTags, let text = query.take("tags") else { return }
        guard let tags = Tags(text) else {
            throw Refusal(.query, "'tags' must be a word or one of or, and, not, exists, not '\(text)'.")
        }
        self.tags = tags
    }

    // MARK: Filtering

    /// The visible part of the sections. A section whose categories are all hidden is omitted.
    func sections(_ sections: JSON) -> JSON {
        guard let list = sections.array else { return sections }
        return .array(
            list.compactMap { section in
                guard let all = section["subcategories"]?.array, var shown = translated(section).object else {
                    return section
                }
                let categories = categories(of: section)
                shown["tags"] = nil
                if categories.isEmpty, !all.isEmpty { return nil }
                shown["subcategories"] = .array(categories)
                return .object(shown)
            }
        )
    }

    /// The visible categories of a section. A section's tags are those of its categories, too.
    func categories(of section: JSON) -> [JSON] {
        let shared = section["tags"]?.strings ?? []
        return (section["subcategories"]?.array ?? [])
            .filter { tags?.holds(shared + ($0["tags"]?.strings ?? [])) ?? true }.map(category)
    }

    /// A category as it is sent, without internal members.
    func category(_ category: JSON) -> JSON {
        guard var shown = translated(category).object else { return category }
        shown["tags"] = nil
        if !showsOptOutChannels, let channels = shown["channels"]?.array {
            shown["channels"] = .array(channels.filter { $0["preference"]?.string != "opt_out" })
        }
        return .object(shown)
    }

    /// Replaces texts with those of the locale, or else of its language.
    private func translated(_ json: JSON) -> JSON {
        guard var object = json.object, let translations = object.removeValue(forKey: "translations") else {
            return json
        }
        guard let locale else { return .object(object) }
        for name in [locale.split(separator: "-").first.map(String.init) ?? locale, locale] {
            object.merge(translations[name]?.object ?? [:]) { $1 }
        }
        return .object(object)
    }
}
