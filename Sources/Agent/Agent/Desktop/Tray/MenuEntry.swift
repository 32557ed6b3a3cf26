/// An entry of a menu, identified by a key of the program.
package struct MenuEntry<Key: Hashable & Sendable>: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case action
        case check(isOn: Bool)
        case separator
        case submenu([MenuEntry])
    }

    /// Unique in the menu. An entry keeps its id as long as each version of the menu contains its key.
    package var key: Key
    /// The text, as it is displayed.
    package var label: String
    package var kind: Kind
    package var isEnabled: Bool

    package init(_ key: Key, _ label: String = "", _ kind: Kind = .action, isEnabled: Bool = true) {
        self.key = key
        self.label = label
        self.kind = kind
        self.isEnabled = isEnabled
    }

    package var children: [MenuEntry] { if case .submenu(let children) = kind { children } else { [] } }
}
