package import DBus

/// The keys of one kind of dictionary (`a{sv}`) of the interface: a structure whose stored properties are its
/// ``RecordKey``s and ``OptionKey``s, in the order of `dbus/org.feedbell.Agent1.xml`.
package protocol RecordKeys: Sendable {
    static var all: Self { get }
}

/// A key that has a default: the value where the dictionary has no such entry.
package struct RecordKey<Content: DBusValue>: RecordKeyDescription {
    package let name: String
    package let defaultContent: Content

    package init(_ name: String, default content: Content) {
        self.name = name
        defaultContent = content
    }

    package var signature: Signature { Content.dbusSignature }
}

extension RecordKey {
    /// The entry of a dictionary for this key.
    package func entry(_ content: Content) -> (String, Value) { (name, content.dbusValue) }
}

/// A key without a default.
package struct OptionKey<Content: DBusValue>: RecordKeyDescription {
    package let name: String

    package init(_ name: String) { self.name = name }

    package var signature: Signature { Content.dbusSignature }
}

/// A key without a default, whose value may have any type.
package struct AnyKey: RecordKeyDescription {
    package let name: String

    package init(_ name: String) { self.name = name }

    package var signature: Signature { Value.dbusSignature }
}

/// A key's name and the D-Bus type of its value.
package protocol RecordKeyDescription: Sendable {
    var name: String { get }
    var signature: Signature { get }
}

extension RecordKeys {
    /// The keys in their order. Uses reflection: not for each record.
    package static var descriptions: [any RecordKeyDescription] {
        Mirror(reflecting: all).children.compactMap { $0.value as? any RecordKeyDescription }
    }
}

/// A dictionary of the interface (`a{sv}`), with typed values.
///
/// ```swift
/// for notification in try await inbox.call(AgentInbox.list, [:]).map(NotificationRecord.init) {
///     print(notification.id, notification.title)
/// }
/// ```
@dynamicMemberLookup
package struct Record<Keys: RecordKeys>: Sendable, Hashable {
    /// Every entry, also those that this version does not know.
    package private(set) var values: [String: Value]

    package init(_ values: [String: Value] = [:]) { self.values = values }

    /// The value of a key; its default if there is none of its type.
    package subscript<Content>(key: RecordKey<Content>) -> Content {
        get { (try? values.value(key.name, as: Content.self)) ?? key.defaultContent }
        set { values[key.name] = newValue.dbusValue }
    }

    // The most frequent types once more, which makes a notification's record several times faster.

    /// The text of a key; its default if there is none.
    package subscript(key: RecordKey<String>) -> String {
        get { if case .string(let text) = values[key.name] { text } else { key.defaultContent } }
        set { values[key.name] = .string(newValue) }
    }

    /// The number of a key; its default if there is none.
    package subscript(key: RecordKey<Int64>) -> Int64 {
        get { if case .int64(let number) = values[key.name] { number } else { key.defaultContent } }
        set { values[key.name] = .int64(newValue) }
    }

    /// The truth value of a key; its default if there is none.
    package subscript(key: RecordKey<Bool>) -> Bool {
        get { if case .bool(let bool) = values[key.name] { bool } else { key.defaultContent } }
        set { values[key.name] = .bool(newValue) }
    }

    /// The value of a key; nil if there is none of its type.
    package subscript<Content>(key: OptionKey<Content>) -> Content? {
        get { try? values.value(key.name, as: Content.self) }
        set { values[key.name] = newValue?.dbusValue }
    }

    /// The value of a key; nil if there is none.
    package subscript(key: AnyKey) -> Value? {
        get { values[key.name] }
        set { values[key.name] = newValue }
    }

    package subscript(dynamicMember key: KeyPath<Keys, AnyKey>) -> Value? {
        get { self[Keys.all[keyPath: key]] }
        set { self[Keys.all[keyPath: key]] = newValue }
    }

    package subscript<Content>(dynamicMember key: KeyPath<Keys, RecordKey<Content>>) -> Content {
        get { self[Keys.all[keyPath: key]] }
        set { self[Keys.all[keyPath: key]] = newValue }
    }

    package subscript<Content>(dynamicMember key: KeyPath<Keys, OptionKey<Content>>) -> Content? {
        get { self[Keys.all[keyPath: key]] }
        set { self[Keys.all[keyPath: key]] = newValue }
    }

    /// The value of a key; nil if there is none. An integer may have any width.
    /// - Throws: `InvalidArgs` if it has another type, or does not fit.
    package func checked<Content>(_ key: OptionKey<Content>) throws(DBusError) -> Content? {
        try checked(key.name)
    }

    /// The value of a key; its default if there is none. An integer may have any width.
    /// - Throws: `InvalidArgs` if it has another type, or does not fit.
    package func checked<Content>(_ key: RecordKey<Content>) throws(DBusError) -> Content {
        try checked(key.name) ?? key.defaultContent
    }

    private func checked<Content: DBusValue>(_ name: String) throws(DBusError) -> Content? {
        guard let value = values[name] else { return nil }
        return try [name: value.converted(to: Content.dbusSignature)].value(name)
    }
}
