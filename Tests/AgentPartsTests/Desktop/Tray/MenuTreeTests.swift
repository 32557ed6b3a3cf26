import DBus
import TestSupport
import Testing

@testable import Agent

@Suite struct MenuTreeTests {
    private typealias Entry = MenuEntry<String>

    private static let menu = [
        Entry("open", "Open"),
        Entry("line", "", .separator),
        Entry("more", "More", .submenu([Entry("a", "A", .check(isOn: true)), Entry("b", "B", isEnabled: false)])),
    ]

    private func tree(_ entries: [Entry] = menu) -> MenuTree<String> {
        var tree = MenuTree<String>()
        _ = tree.replace(with: entries)
        return tree
    }

    private func properties(_ tree: MenuTree<String>, _ key: String) throws -> [String: Value] {
        let id = try #require(tree.id(of: key))
        return try #require(tree.properties(of: [id], []).first).elements.1
    }

    @Test("Properties with default values are not sent") func properties() throws {
        let tree = tree()
        #expect(try properties(tree, "open") == ["label": .string("Open")])
        #expect(try properties(tree, "line") == ["type": .string("separator")])
        #expect(
            try properties(tree, "more") == ["label": .string("More"), "children-display": .string("submenu")]
        )
        #expect(
            try properties(tree, "a")
                == ["label": .string("A"), "toggle-type": .string("checkmark"), "toggle-state": .int32(1)]
        )
        #expect(try properties(tree, "b") == ["label": .string("B"), "enabled": .bool(false)])
    }

    @Test("A single property has its default value; an unknown one has none") func singleProperty() throws {
        let tree = tree()
        let id = try #require(tree.id(of: "open"))
        #expect(tree.property("label", of: id) == .string("Open"))
        #expect(tree.property("enabled", of: id) == .bool(true))
        #expect(tree.property("toggle-state", of: id) == .int32(-1))
        #expect(tree.property("color", of: id) == nil)
        #expect(tree.property("label", of: 77) == nil)
    }

    @Test("Underscores in labels are escaped", arguments: [("a_b", "a__b"), ("__", "____"), ("_", "__")])
    func underscores(_ label: String, _ escaped: String) throws {
        #expect(try properties(tree([Entry("x", label)]), "x")["label"] == .string(escaped))
    }

    @Test("The recursion depth limits the generations", arguments: [(0, 0, 0), (1, 3, 0), (2, 3, 2), (-1, 3, 2)])
    func depth(_ depth: Int32, _ children: Int, _ grandchildren: Int) throws {
        let layout = try #require(tree().layout(of: 0, depth: depth, properties: []))
        let items = try layout.elements.2.map(DBusMenu.Layout.init(dbus:))
        #expect(items.count == children)
        #expect(items.reduce(0) { $0 + $1.elements.2.count } == grandchildren)
    }

    @Test("Only the requested properties are sent") func filter() throws {
        let layout = try #require(tree().layout(of: 0, depth: -1, properties: ["type", "enabled"]))
        #expect(layout.elements.1 == [:])
        let items = try layout.elements.2.map(DBusMenu.Layout.init(dbus:))
        #expect(items.map(\.elements.1) == [[:], ["type": .string("separator")], [:]])
        #expect(tree().properties(of: [], ["enabled"]).filter { !$0.elements.1.isEmpty }.count == 1)
    }

    @Test("Unknown ids have no layout and no properties") func unknown() {
        let tree = tree()
        for id: Int32 in [-1, 6, .max, .min] {
            #expect(tree.layout(of: id, depth: -1, properties: []) == nil)
            #expect(tree.properties(of: [id], []).isEmpty)
            #expect(tree.key(of: id) == nil)
            #expect(!tree.contains(id))
        }
        #expect(tree.key(of: 0) == nil)
        #expect(tree.contains(0))
    }

    @Test("An entry keeps its id, and the id of a removed one is not used again") func stableIDs() throws {
        var tree = tree()
        let (open, a) = (try #require(tree.id(of: "open")), try #require(tree.id(of: "a")))
        _ = tree.replace(with: [Entry("new", "New"), Entry("more", "", .submenu([Entry("a")])), Entry("open")])
        #expect(tree.id(of: "open") == open)
        #expect(tree.id(of: "a") == a)
        let new = try #require(tree.id(of: "new"))
        _ = tree.replace(with: [])
        #expect(tree.key(of: new) == nil)
        _ = tree.replace(with: [Entry("other")])
        let other = try #require(tree.id(of: "other"))
        #expect(![open, a, new].contains(other))
    }

    @Test("Repeated keys are ignored") func repeatedKeys() throws {
        let tree = tree([Entry("x", "1"), Entry("x", "2"), Entry("y", "", .submenu([Entry("x", "3")]))])
        #expect(try properties(tree, "x") == ["label": .string("1")])
        #expect(try #require(tree.layout(of: 0, depth: -1, properties: [])).elements.2.count == 2)
    }

    @Test("A changed label is a change of properties, not of the layout") func changedProperties() throws {
        var tree = tree()
        let revision = tree.revision
        var entries = Self.menu
        entries[0].label = "Show"
        entries[2].kind = .submenu([Entry("a", "A"), Entry("b", "B")])
        let difference = tree.replace(with: entries)
        let (open, a, b) = (tree.id(of: "open"), tree.id(of: "a"), tree.id(of: "b"))
        #expect(difference.parent == nil)
        #expect(difference.updated == [try #require(open): ["label": .string("Show")]])
        #expect(
            difference.removed == [try #require(a): ["toggle-state", "toggle-type"], try #require(b): ["enabled"]]
        )
        #expect(tree.revision == revision)
    }

    @Test("A changed structure is a new revision below the item that changed") func changedStructure() throws {
        var tree = tree()
        let revision = tree.revision
        var entries = Self.menu
        entries[2].kind = .submenu([Entry("b", "B", isEnabled: false)])
        #expect(tree.replace(with: entries).parent == tree.id(of: "more"))
        #expect(tree.revision == revision + 1)
        entries[2].kind = .submenu([Entry("b", "B", isEnabled: false), Entry("c")])
        entries.remove(at: 0)
        #expect(tree.replace(with: entries).parent == 0)
        #expect(tree.replace(with: entries).isEmpty)
        #expect(tree.revision == revision + 2)
    }

    /// A client that follows the signals, with its copy of the menu.
    private struct Client {
        var properties: [Int32: [String: Value]] = [:]
        var children: [Int32: [Int32]] = [:]

        mutating func fetch(_ layout: DBusMenu.Layout) throws {
            let (id, values, items) = layout.elements
            let layouts = try items.map(DBusMenu.Layout.init(dbus:))
            properties[id] = values
            children[id] = layouts.map(\.elements.0)
            for layout in layouts { try fetch(layout) }
        }

        mutating func apply(_ difference: MenuTree<String>.Difference, of tree: MenuTree<String>) throws {
            for (id, values) in difference.updated where properties[id] != nil {
                properties[id]?.merge(values) { $1 }
            }
            for (id, names) in difference.removed { for name in names { properties[id]?[name] = nil } }
            guard let parent = difference.parent else { return }
            try fetch(try #require(tree.layout(of: parent, depth: -1, properties: [])))
        }
    }

    @Test("A client that follows the signals has the current menu", arguments: 1...50 as ClosedRange<UInt64>)
    func randomChanges(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var (tree, client) = (MenuTree<String>(), Client())
        try client.fetch(try #require(tree.layout(of: 0, depth: -1, properties: [])))
        for _ in 0..<30 {
            let difference = tree.replace(with: Self.randomEntries(&random, prefix: "", generations: 3))
            try client.apply(difference, of: tree)
            var fresh = Client()
            try fresh.fetch(try #require(tree.layout(of: 0, depth: -1, properties: [])))
            for (id, children) in fresh.children {
                #expect(client.children[id] == children)
                #expect(client.properties[id] == fresh.properties[id])
            }
        }
    }

    private static func randomEntries(
        _ random: inout SeededGenerator,
        prefix: String,
        generations: Int
    ) -> [Entry] {
        let keys = (0..<4).filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
        return keys.map { key in
            let kinds: [Entry.Kind] = [.action, .check(isOn: true), .check(isOn: false), .separator, .submenu([])]
            var kind = kinds.randomElement(using: &random) ?? .action
            if case .submenu = kind, generations > 0 {
                kind = .submenu(randomEntries(&random, prefix: "\(prefix)\(key)/", generations: generations - 1))
            }
            let label = ["", "A", "B_"].randomElement(using: &random) ?? ""
            return Entry("\(prefix)\(key)", label, kind, isEnabled: Bool.random(using: &random))
        }
    }
}
