public import ClientKit

/// A setting of a category, such as the smallest amount for a notification.
public struct CategoryProperty: Sendable, Hashable {
    /// The id within the category.
    public var key: String
    /// The value; nil: not set.
    public var value: JSONValue?
    /// The label for the user.
    public var label: String?
    /// Whether the property may be changed.
    public var isEditable: Bool
    /// Whether the property may have no value.
    public var isOptional: Bool
    /// Whether the user set it.
    public var isOverridden: Bool
    /// The type of its value.
    public var valueType: ValueType?
    /// The source of the choices of a dynamic property.
    public var dynamicChoicesKey: String?
    /// The value without the user's choice.
    public var defaultValue: JSONValue?
    /// The allowed values; empty: any value of its type.
    public var choices: [Choice]

    /// Creates a property, such as for a preview or a test.
    public init(
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

    /// A type of value. Unknown values are kept.
    public struct ValueType: RawRepresentable, Sendable, Hashable {
        /// The service's value.
        public var rawValue: String
        /// Creates a type from any value of the service.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// An integer.
        public static let integer = ValueType(rawValue: "integer")
        /// A text.
        public static let string = ValueType(rawValue: "string")
        /// One of ``CategoryProperty/choices``.
        public static let stringChoice = ValueType(rawValue: "string_choice")
        /// Some of ``CategoryProperty/choices``.
        public static let listChoice = ValueType(rawValue: "list_choice")
        /// One text from a list that the app provides.
        public static let stringDynamic = ValueType(rawValue: "string_dynamic")
        /// Some texts from a list that the app provides.
        public static let listDynamic = ValueType(rawValue: "list_dynamic")
    }

    /// An allowed value.
    public struct Choice: Sendable, Hashable {
        /// The label for the user.
        public var label: String
        /// The new ``CategoryProperty/value``.
        public var value: JSONValue

        /// Creates a choice, such as for a preview or a test.
        public init(label: String, value: JSONValue) {
            self.label = label
            self.value = value
        }
    }

    /// A change of a property's value.
    public struct Update: Sendable, Hashable {
        /// The property's ``CategoryProperty/key``.
        public var key: String
        /// The new value: an integer, a text, or a list of texts.
        public var value: JSONValue

        /// Creates a change of the property `key` to `value`.
        public init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }
}
