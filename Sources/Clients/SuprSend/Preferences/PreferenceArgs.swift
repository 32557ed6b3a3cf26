import ClientKit

/// The parameters of a preference request. Nil: the default.
public struct PreferenceArgs: Sendable, Hashable {
    /// The tenant; nil: the active one. An empty text becomes nil.
    public var tenantID: String? {
        didSet { tenantID = Self.tenant(tenantID) }
    }
    /// Whether a category contains channels that are opted out; nil: true. It is always sent, because the service's
    /// default for categories is false.
    public var showOptOutChannels: Bool?
    /// Only categories with these tags; nil: all.
    public var tags: PreferenceTags?
    /// The language of names and descriptions, such as `es-AR`; nil: the service's default.
    public var locale: String?

    /// Creates parameters; all are optional.
    public init(
        tenantID: String? = nil,
        showOptOutChannels: Bool? = nil,
        tags: PreferenceTags? = nil,
        locale: String? = nil
    ) {
        self.tenantID = Self.tenant(tenantID)
        self.showOptOutChannels = showOptOutChannels
        self.tags = tags
        self.locale = locale
    }

    /// Turns an empty id into nil, like the service's web client.
    static func tenant(_ id: String?) -> String? { id?.isEmpty == true ? nil : id }

    var showsOptOutChannels: Bool { showOptOutChannels ?? true }

    /// These parameters, with `others` for those that are nil.
    func completed(by others: PreferenceArgs) -> PreferenceArgs {
        PreferenceArgs(
            tenantID: tenantID ?? others.tenantID,
            showOptOutChannels: showOptOutChannels ?? others.showOptOutChannels,
            tags: tags ?? others.tags,
            locale: locale ?? others.locale
        )
    }

    /// Throws `invalidArgument` for an empty tag or locale, which the service would misinterpret.
    func validate() throws(SuprSendError) {
        if tags?.hasEmptyTag == true { try ArgumentCheck.check("", named: "tag") }
        if let locale { try ArgumentCheck.check(locale, named: "locale") }
    }
}

/// A selection of categories by their tags. A section's tags are those of its categories, too.
///
/// A text literal is one tag: `.or(["sales", .and(["ops", "ci"])])`.
public indirect enum PreferenceTags: Sendable, Hashable, ExpressibleByStringLiteral {
    /// This tag.
    case text(String)
    /// At least one of these holds.
    case or([PreferenceTags])
    /// All of these hold.
    case and([PreferenceTags])
    /// This does not hold.
    case not(PreferenceTags)
    /// Any tags (true) or no tags (false).
    case exists(Bool)

    /// Creates the selection of one tag.
    public init(stringLiteral tag: String) { self = .text(tag) }

    /// The value of the query parameter, not yet encoded.
    var parameter: String {
        if case .text(let tag) = self { tag } else { json.text }
    }

    private var json: JSONValue {
        switch self {
        case .text(let tag): .string(tag)
        case .or(let some): .object(["or": .array(some.map(\.json))])
        case .and(let all): .object(["and": .array(all.map(\.json))])
        case .not(let none): .object(["not": none.json])
        case .exists(let exists): .object(["exists": .bool(exists)])
        }
    }

    /// Whether one of its tags is empty.
    fileprivate var hasEmptyTag: Bool {
        switch self {
        case .text(let tag): tag.isEmpty
        case .or(let parts), .and(let parts): parts.contains(where: \.hasEmptyTag)
        case .not(let part): part.hasEmptyTag
        case .exists: false
        }
    }
}
