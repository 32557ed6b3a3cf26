public import ClientKit

/// The user's profile at the service: properties and channels.
///
/// Every method sends one request. It throws `invalidArgument` for an invalid argument, `invalidState` when no user is
/// identified, and the service's refusal.
public struct User: Sendable {
    let events: EventSender

    /// The channels, by their names in a profile.
    enum Channel: String, CaseIterable {
        case email = "$email"
        case sms = "$sms"
        case whatsapp = "$whatsapp"
        case slack = "$slack"
        case msTeams = "$ms_teams"
        case preferredLanguage = "$preferred_language"
        case timezone = "$timezone"
    }

    // MARK: Properties

    /// Sets properties, replacing their values.
    public func set(_ properties: [String: JSONValue]) async throws(SuprSendError) {
        try await change(.set, properties)
    }

    /// Sets one property, replacing its value.
    public func set(_ key: String, _ value: JSONValue) async throws(SuprSendError) { try await set([key: value]) }

    /// Sets properties that have no value yet.
    public func setOnce(_ properties: [String: JSONValue]) async throws(SuprSendError) {
        try await change(.setOnce, properties)
    }

    /// Sets one property if it has no value yet.
    public func setOnce(_ key: String, _ value: JSONValue) async throws(SuprSendError) {
        try await setOnce([key: value])
    }

    /// Adds to number properties; negative numbers subtract.
    public func increment(_ properties: [String: Double]) async throws(SuprSendError) {
        for (key, value) in properties where !value.isFinite {
            throw SuprSendError(.invalidArgument, "The increment of \"\(key)\" is not a finite number.")
        }
        try await change(.add, properties.mapValues(JSONValue.init(whole:)))
    }

    /// Adds to one number property; negative subtracts.
    public func increment(_ key: String, by value: Double = 1) async throws(SuprSendError) {
        try await increment([key: value])
    }

    /// Appends values to list properties.
    public func append(_ properties: [String: JSONValue]) async throws(SuprSendError) {
        try await change(.append, properties)
    }

    /// Appends a value to one list property.
    public func append(_ key: String, _ value: JSONValue) async throws(SuprSendError) { try await append([key: value]) }

    /// Removes values from list properties.
    public func remove(_ properties: [String: JSONValue]) async throws(SuprSendError) {
        try await change(.remove, properties)
    }

    /// Removes a value from one list property.
    public func remove(_ key: String, _ value: JSONValue) async throws(SuprSendError) { try await remove([key: value]) }

    /// Removes properties, or whole channels such as `$email`.
    public func unset(_ keys: [String]) async throws(SuprSendError) {
        if keys.isEmpty { throw SuprSendError(.invalidArgument, "No property to unset is given.") }
        try PropertyKey.check(keys, named: "property", allowing: Set(Channel.allCases.map(\.rawValue)))
        try await events.send(.operation(.unset, .array(keys.map(JSONValue.string))))
    }

    /// Removes one property.
    public func unset(_ key: String) async throws(SuprSendError) { try await unset([key]) }

    private func change(_ operation: Event.Operator, _ properties: [String: JSONValue]) async throws(SuprSendError) {
        if properties.isEmpty { throw SuprSendError(.invalidArgument, "No property is given.") }
        try PropertyKey.check(properties.keys, named: "property")
        try await events.send(.operation(operation, .object(properties)))
    }

    // MARK: Channels

    /// Adds an email address.
    public func addEmail(_ email: String) async throws(SuprSendError) {
        try await change(.append, .email, .string(try ChannelAddress.email(email)))
    }

    /// Removes an email address.
    public func removeEmail(_ email: String) async throws(SuprSendError) {
        try await change(.remove, .email, .string(try ChannelAddress.email(email)))
    }

    /// Adds a mobile number for SMS, as `+` and digits (E.164).
    public func addSMS(_ mobile: String) async throws(SuprSendError) {
        try await change(.append, .sms, .string(try ChannelAddress.mobile(mobile)))
    }

    /// Removes a mobile number for SMS.
    public func removeSMS(_ mobile: String) async throws(SuprSendError) {
        try await change(.remove, .sms, .string(try ChannelAddress.mobile(mobile)))
    }

    /// Adds a mobile number for WhatsApp, as `+` and digits (E.164).
    public func addWhatsapp(_ mobile: String) async throws(SuprSendError) {
        try await change(.append, .whatsapp, .string(try ChannelAddress.mobile(mobile)))
    }

    /// Removes a mobile number for WhatsApp.
    public func removeWhatsapp(_ mobile: String) async throws(SuprSendError) {
        try await change(.remove, .whatsapp, .string(try ChannelAddress.mobile(mobile)))
    }

    /// Adds a Slack destination: the object from the service's documentation, such as `email` and `access_token`.
    public func addSlack(_ destination: [String: JSONValue]) async throws(SuprSendError) {
        try await change(.append, .slack, .object(try ChannelAddress.destination(destination, named: "Slack")))
    }

    /// Removes a Slack destination.
    public func removeSlack(_ destination: [String: JSONValue]) async throws(SuprSendError) {
        try await change(.remove, .slack, .object(try ChannelAddress.destination(destination, named: "Slack")))
    }

    /// Adds a Microsoft Teams destination: the object from the service's documentation.
    public func addMSTeams(_ destination: [String: JSONValue]) async throws(SuprSendError) {
        try await change(
            .append,
            .msTeams,
            .object(try ChannelAddress.destination(destination, named: "Microsoft Teams"))
        )
    }

    /// Removes a Microsoft Teams destination.
    public func removeMSTeams(_ destination: [String: JSONValue]) async throws(SuprSendError) {
        try await change(
            .remove,
            .msTeams,
            .object(try ChannelAddress.destination(destination, named: "Microsoft Teams"))
        )
    }

    /// Sets the language of notifications, as in ISO 639-1: `es`, `es-AR`.
    public func setPreferredLanguage(_ language: String) async throws(SuprSendError) {
        try ArgumentCheck.check(language, named: "preferred language")
        try await change(.set, .preferredLanguage, .string(language))
    }

    /// Sets the time zone by its IANA name: `Europe/Berlin`.
    public func setTimezone(_ timezone: String) async throws(SuprSendError) {
        try ArgumentCheck.check(timezone, named: "time zone")
        try await change(.set, .timezone, .string(timezone))
    }

    private func change(
        _ operation: Event.Operator,
        _ channel: Channel,
        _ value: JSONValue
    ) async throws(SuprSendError) {
        try await events.send(.operation(operation, .object([channel.rawValue: value])))
    }
}

extension JSONValue {
    /// A number, as an integer if it has no fraction: the service is reported to reject exponents.
    fileprivate init(whole number: Double) {
        self = Int64(exactly: number).map(JSONValue.integer) ?? .number(number)
    }
}
