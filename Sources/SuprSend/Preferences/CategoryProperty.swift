public import ClientKit

/// Something of a category that can be set, such as the least amount worth a notification (suprsend.md §2.5).
public struct CategoryProperty: Sendable, Hashable {
    /// Its id within the category.
    public var key: String
    /// What it is; nil: not set.
    public var value: JSONValue?
    /// Its name for a person.
    public var label: String?
    /// Whether it may be changed.
    public var isEditable: Bool
    /// Whether it may be left unset.
    public var isOptional: Bool
    /// Whether the person set it.
    public var isOverridden: Bool
    /// What kind of value it takes.
    public var valueType: ValueType?
    /// Where the choices of a dynamic property come from.
    public var dynamicChoicesKey: String?
    /// What it is without the person's choice.
    public var defaultValue: JSONValue?
    /// What can be chosen; empty: anything of its type.
    public var choices: [Choice]

    package init(
        key: String,
        value: JSONValue? = nil,
        label: String? = nil,
        isEditable: Bool = true,
        isOptional: Bool = false,
        isOverridden: Bool = false,
        valueType: ValueType? = nil,
        dynamicChoicesKey: String? = nil,
        defaultValue: JSONValue? = nil,
        choices: [Choice] = []
    ) {
        self.key = key
        self.value = value
        self.label = label
        self.isEditable = isEditable
        self.isOptional = isOptional
        self.isOverridden = isOverridden
        self.valueType = valueType
        self.dynamicChoicesKey = dynamicChoicesKey
        self.defaultValue = defaultValue
        self.choices = choices
    }

    /// A kind of value. One that came later than this library is kept as it is.
    public struct ValueType: RawRepresentable, Sendable, Hashable {
        /// The service's word.
        public var rawValue: String
        /// Any word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An integer.
        public static let integer = ValueType(rawValue: "integer")
        /// A text.
        public static let string = ValueType(rawValue: "string")
        /// One of ``CategoryProperty/choices``.
        public static let stringChoice = ValueType(rawValue: "string_choice")
        /// Some of ``CategoryProperty/choices``.
        public static let listChoice = ValueType(rawValue: "list_choice")
        /// One text out of a list that the app has.
        public static let stringDynamic = ValueType(rawValue: "string_dynamic")
        /// Some texts out of a list that the app has.
        public static let listDynamic = ValueType(rawValue: "list_dynamic")
    }

    /// Something that can be chosen.
    public struct Choice: Sendable, Hashable {
        /// Its name for a person.
        public var label: String
        /// What ``CategoryProperty/value`` becomes.
        public var value: JSONValue

        package init(label: String, value: JSONValue) {
            self.label = label
            self.value = value
        }
    }

    /// A person's choice of a value.
    public struct Update: Sendable, Hashable {
        /// The property's ``CategoryProperty/key``.
        public var key: String
        /// The new value: an integer, a text, or a list of texts.
        public var value: JSONValue

        /// The choice of `value` for the property `key`.
        public init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }
}
