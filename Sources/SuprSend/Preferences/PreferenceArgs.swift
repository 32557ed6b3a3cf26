import ClientKit

/// Which preferences are meant, and how the service is to show them (suprsend.md §1.4). What is nil is left to the defaults.
public struct PreferenceArgs: Sendable, Hashable {
    /// The tenant; nil: the active one. An empty text becomes nil.
    public var tenantID: String? {
        didSet { tenantID = Self.tenant(tenantID) }
    }
    /// Whether channels that are opted out are part of a category; nil: true. It is always sent, because the service's own default is
    /// another one.
    public var showOptOutChannels: Bool?
    /// Only categories with these tags; nil: all.
    public var tags: PreferenceTags?
    /// The language of names and descriptions, such as `es-AR`; nil: the service's choice.
    public var locale: String?

    /// The given ones; everything may be left out.
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

    /// An empty id is none: the service's web client leaves it out, too.
    static func tenant(_ id: String?) -> String? { id?.isEmpty == true ? nil : id }

    var showsOptOutChannels: Bool { showOptOutChannels ?? true }

    /// These, and `others` where nothing is given.
    func completed(by others: PreferenceArgs) -> PreferenceArgs {
        PreferenceArgs(
            tenantID: tenantID ?? others.tenantID,
            showOptOutChannels: showOptOutChannels ?? others.showOptOutChannels,
            tags: tags ?? others.tags,
            locale: locale ?? others.locale
        )
    }

    /// Throws `invalidArgument` for an empty tag or locale, which the service would take for something else than was meant.
    func validate() throws(SuprSendError) {
        if case .text(let tag)? = tags { try Argument.check(tag, named: "tag") }
        if let locale { try Argument.check(locale, named: "locale") }
    }
}

/// A choice of categories by their tags (suprsend.md §1.4).
public enum PreferenceTags: Sendable, Hashable {
    /// One tag, sent as it is.
    case text(String)
    /// At least one of these.
    case or([String])
    /// All of these.
    case and([String])
    /// None of these.
    case not([String])
    /// Whether there are tags at all.
    case exists(Bool)

    /// The value of the parameter, not yet encoded.
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
