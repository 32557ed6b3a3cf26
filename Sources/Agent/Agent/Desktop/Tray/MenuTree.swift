package import DBus

/// A menu in the form of ``DBusMenu``: entries with ids, and what changes from one version of the menu to the next.
package struct MenuTree<Key: Hashable & Sendable>: Sendable {
    /// The difference between two versions, as the menu's signals report it to clients.
    package struct Difference: Equatable, Sendable {
        /// The item whose children differ: the root if those of several items do; nil: of none.
        package var parent: Int32?
        /// Properties that changed.
        package var updated: [Int32: [String: Value]] = [:]
        /// Properties that have their default values again.
        package var removed: [Int32: [String]] = [:]

        package var isEmpty: Bool { self == Difference() }
    }

    struct Item: Equatable, Sendable {
        /// nil: the root.
        var key: Key?
        var properties: [String: Value]
        var children: [Int32]
    }

    /// The id of the root.
    package static var root: Int32 { 0 }

    /// Increases with each change of the structure, and with ``expire()``.
    package private(set) var revision: UInt32 = 1
    private var items: [Int32: Item] = [0: Item(key: nil, properties: Self.rootProperties, children: [])]
    private var ids: [Key: Int32] = [:]
    private var lastID: Int32 = 0

    private static var rootProperties: [String: Value] { ["children-display": .string("submenu")] }

    package init() {}

    // MARK: Changes

    /// Replaces all entries. An entry whose key repeats that of another one is ignored.
    package mutating func replace(with entries: [MenuEntry<Key>]) -> Difference {
        let (old, oldIDs) = (items, ids)
        items = [:]
        ids = [:]
        var root = Item(key: nil, properties: Self.rootProperties, children: [])
        root.children = add(entries, oldIDs)
        items[Self.root] = root
        return difference(from: old)
    }

    private mutating func add(_ entries: [MenuEntry<Key>], _ oldIDs: [Key: Int32]) -> [Int32] {
        var added: [Int32] = []
        for entry in entries where ids[entry.key] == nil {
            let id = oldIDs[entry.key] ?? unusedID(oldIDs)
            ids[entry.key] = id
            items[id] = Item(key: entry.key, properties: entry.properties, children: add(entry.children, oldIDs))
            added.append(id)
        }
        return added
    }

    /// Ids are used again after two thousand million others.
    private mutating func unusedID(_ oldIDs: [Key: Int32]) -> Int32 {
        repeat {
            lastID = lastID == .max ? 1 : lastID + 1
        } while items[lastID] != nil || oldIDs.values.contains(lastID)
        return lastID
    }

    private mutating func difference(from old: [Int32: Item]) -> Difference {
        var difference = Difference()
        var parents: [Int32] = []
        for (id, item) in items {
            guard let before = old[id] else { continue }
            if before.children != item.children { parents.append(id) }
            let updated = item.properties.filter { before.properties[$0.key] != $0.value }
            if !updated.isEmpty { difference.updated[id] = updated }
            let removed = before.properties.keys.filter { item.properties[$0] == nil }.sorted()
            if !removed.isEmpty { difference.removed[id] = removed }
        }
        if let parent = parents.first {
            difference.parent = parents.count == 1 ? parent : Self.root
            revision &+= 1
        }
        return difference
    }

    /// The entries are out of date: the next ones have another revision.
    package mutating func expire() { revision &+= 1 }

    // MARK: Questions

    package func contains(_ id: Int32) -> Bool { items[id] != nil }

    /// The key of an entry; nil: there is none with this id.
    package func key(of id: Int32) -> Key? { items[id]?.key }

    /// The id of an entry; nil: there is none with this key.
    package func id(of key: Key) -> Int32? { ids[key] }

    /// An item with its descendants; nil: there is none with this id.
    ///
    /// - Parameters:
    ///   - depth: The number of generations; negative: all.
    ///   - names: The properties to return; empty: all.
    package func layout(of id: Int32, depth: Int32, properties names: [String]) -> DBusMenu.Layout? {
        guard let item = items[id] else { return nil }
        let children = depth == 0 ? [] : item.children
        return Structure(
            id,
            item.properties(names),
            children.compactMap { layout(of: $0, depth: depth < 0 ? depth : depth - 1, properties: names)?.dbusValue }
        )
    }

    /// The children of an item that have children.
    package func submenus(of id: Int32) -> [Int32] {
        (items[id]?.children ?? []).filter { items[$0]?.children.isEmpty == false }
    }

    /// The properties of those items that exist.
    ///
    /// - Parameter wanted: Empty: all items.
    package func properties(of wanted: [Int32], _ names: [String]) -> [DBusMenu.Properties] {
        (wanted.isEmpty ? items.keys.sorted() : wanted).compactMap { id in
            items[id].map { Structure(id, $0.properties(names)) }
        }
    }

    /// The value of a property, which may be its default; nil: the item or the property does not exist.
    package func property(_ name: String, of id: Int32) -> Value? {
        items[id].flatMap { $0.properties[name] ?? Self.defaults[name] }
    }

    private static var defaults: [String: Value] {
        [
            "type": .string("standard"), "label": .string(""), "enabled": .bool(true), "visible": .bool(true),
            "icon-name": .string(""), "icon-data": .bytes([]), "shortcut": Value([[String]]()),
            "toggle-type": .string(""), "toggle-state": .int32(-1), "children-display": .string(""),
        ]
    }
}

extension MenuTree.Item {
    fileprivate func properties(_ names: [String]) -> [String: Value] {
        names.isEmpty ? properties : properties.filter { names.contains($0.key) }
    }
}

extension MenuEntry {
    /// The properties that do not have their default values.
    fileprivate var properties: [String: Value] {
        var properties: [String: Value] = [:]
        // A single underscore marks the access key.
        if !label.isEmpty { properties["label"] = .string(label.replacing("_", with: "__")) }
        if !isEnabled { properties["enabled"] = .bool(false) }
        switch kind {
        case .action: break
        case .check(let isOn):
            properties["toggle-type"] = .string("checkmark")
            properties["toggle-state"] = .int32(isOn ? 1 : 0)
        case .separator: properties["type"] = .string("separator")
        case .submenu: properties["children-display"] = .string("submenu")
        }
        return properties
    }
}
