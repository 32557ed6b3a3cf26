/// The view of preferences that a request selects: categories, channels and language.
struct PreferencesView: Sendable, Equatable {
    /// A filter of categories by their tags.
    enum Tags: Sendable, Equatable {
        case or([String])
        case and([String])
        case not([String])
        case exists(Bool)

        /// Parses a bare word, or one operator in JSON; nil for any other text.
        init?(_ text: String) {
            guard text.hasPrefix("{") || text.hasPrefix("[") else {
                if text.isEmpty { return nil }
                self = .or([text])
                return
            }
            guard let object = JSON(parsing: text)?.object, object.count == 1, let (name, value) = object.first else {
                return nil
            }
            switch (name, value.strings, value.bool) {
            case ("or", let tags?, _): self = .or(tags)
            case ("and", let tags?, _): self = .and(tags)
            case ("not", let tags?, _): self = .not(tags)
            case ("exists", _, let exists?): self = .exists(exists)
            default: return nil
            }
        }

        func holds(_ tags: [String]) -> Bool {
            switch self {
            case .or(let some): some.contains(where: tags.contains)
            case .and(let all): all.allSatisfy(tags.contains)
            case .not(let none): !none.contains(where: tags.contains)
            case .exists(let exists): tags.isEmpty != exists
            }
        }
    }

    /// All preferences in their stored language.
    static let everything = PreferencesView()

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
                let categories = categories(all)
                if categories.isEmpty, !all.isEmpty { return nil }
                shown["subcategories"] = .array(categories)
                return .object(shown)
            }
        )
    }

    func categories(_ categories: [JSON]) -> [JSON] {
        categories.filter { tags?.holds($0["tags"]?.strings ?? []) ?? true }.map(category)
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
