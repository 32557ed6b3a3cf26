/// The value of a category's property.
package enum PropertyValue: Hashable, Sendable {
    case integer(Int64)
    case text(String)
    case list([String])
}

extension PropertyValue: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let integer = try? container.decode(Int64.self) {
            self = .integer(integer)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            self = .list(try container.decode([String].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .integer(let integer): try container.encode(integer)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        }
    }
}

extension PreferencesContents {
    /// A setting of a category, such as the smallest amount for a notification.
    package struct Property: Hashable, Sendable {
        /// The type of the value.
        package enum Kind: String, Sendable, CaseIterable {
            case integer, list
            case text = "string"
        }

        /// An allowed value.
        package struct Choice: Hashable, Sendable {
            /// The name to display.
            package var label: String
            /// The value; of a list: one of its elements.
            package var value: PropertyValue

            package init(label: String, value: PropertyValue) {
                self.label = label
                self.value = value
            }
        }

        /// The service's identifier within the category.
        package var id: String
        /// The name to display.
        package var label: String
        /// nil: unknown to this version; the value cannot be changed.
        package var kind: Kind?
        /// nil: not set.
        package var value: PropertyValue?
        /// The value without the user's choice; nil: none.
        package var defaultValue: PropertyValue?
        /// The allowed values; empty: any value of its kind.
        package var choices: [Choice]
        package var isEditable: Bool
        /// Whether the property may have no value.
        package var isOptional: Bool
        /// Whether the user set it.
        package var isOverridden: Bool

        package init(
            id: String,
            label: String = "",
            kind: Kind?,
            value: PropertyValue? = nil,
            defaultValue: PropertyValue? = nil,
            choices: [Choice] = [],
            isEditable: Bool = true,
            isOptional: Bool = false,
            isOverridden: Bool = false
        ) {
            self.id = id
            self.label = label
            self.kind = kind
            self.value = value
            self.defaultValue = defaultValue
            self.choices = choices
            self.isEditable = isEditable
            self.isOptional = isOptional
            self.isOverridden = isOverridden
        }
    }
}

extension PreferencesContents.Property {
    /// Checks whether the value can be set.
    ///
    /// - Throws: `notEditable` or `invalid`.
    func check(_ value: PropertyValue, of category: String) throws(ServiceFailure) {
        guard isEditable, let kind else {
            throw ServiceFailure(
                .notEditable,
                "Cannot change the property \"\(id)\" of \"\(category)\": the service does not allow it."
            )
        }
        let elements: [PropertyValue]
        switch (kind, value) {
        case (.integer, .integer), (.text, .text): elements = [value]
        case (.list, .list(let list)): elements = list.map(PropertyValue.text)
        default:
            throw ServiceFailure(.invalid, "The property \"\(id)\" of \"\(category)\" takes \(kind.words).")
        }
        let allowed = choices.map(\.value)
        guard allowed.isEmpty || elements.allSatisfy(allowed.contains) else {
            let names = allowed.map(\.words).joined(separator: ", ")
            throw ServiceFailure(
                .invalid,
                "The property \"\(id)\" of \"\(category)\" does not take this value. Its values: \(names)."
            )
        }
    }
}

extension PreferencesContents.Property.Kind {
    fileprivate var words: String {
        switch self {
        case .integer: "an integer"
        case .text: "a text"
        case .list: "a list of texts"
        }
    }
}

extension PropertyValue {
    fileprivate var words: String {
        switch self {
        case .integer(let integer): "\(integer)"
        case .text(let text): text
        case .list(let list): list.joined(separator: "+")
        }
    }
}
