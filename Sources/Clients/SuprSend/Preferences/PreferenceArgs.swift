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
        if case .text(let tag)? = tags { try ArgumentCheck.check(tag, named: "tag") }
        if let locale { try ArgumentCheck.check(locale, named: "locale") }
    }
}

/// A selection of categories by their tags.
public enum PreferenceTags: Sendable, Hashable {
    /// One tag.
    case text(String)
    /// At least one of these.
    case or([String])
    /// All of these.
    case and([String])
    /// None of these.
    case not([String])
    /// Any tags (true) or no tags (false).
    case exists(Bool)

    /// The value of the query parameter, not yet encoded.
    var parameter: String {
        func list(_ name: String, _ tags: [String]) -> String {
            JSONValue.object([name: .array(tags.map { .string($0) })]).text
        }
        return switch self {
        case .text(let tag): tag
        case .or(let tags): list("or", tags)
        case .and(let tags): list("and", tags)
        case .not(let tags): list("not", tags)
        case .exists(let exists): #"{"exists":\#(exists)}"#
        }
    }
}
