import DBus
import Synchronization

/// Reads the windows of a display as a screen reader does.
///
/// A program answers names and states of all its widgets at once. GTK leaves out those that nobody has asked for yet,
/// and keeps those that are hidden, without a sign. So each widget that has children is asked which are shown.
final class ScreenReader: Sendable {
    /// What a program says of a widget.
    private struct Facts: Equatable {
        let name: String
        let states: UInt64
        let position: Int32
        let childCount: Int32

        init(_ item: AccessibleCache.Item) {
            (_, _, _, position, childCount, _, name, _, _, _) = item.elements
            states = item.elements.9.enumerated().reduce(0) { $0 | UInt64($1.element) << UInt64(32 * $1.offset) }
        }
    }

    /// The role of labels in rows since GTK 4.14, which have a text and no name.
    private static let paragraph = "paragraph"

    private let bus: Bus
    /// A widget keeps its role as long as its path, which no other gets.
    private let roles = Mutex<[ObjectPath: String]>([:])
    /// What all programs said when they were last read.
    private let lastFacts = Mutex<[BusName: [ObjectPath: Facts]]>([:])

    init(_ bus: Bus) { self.bus = bus }

    /// The programs and what is on the screen of each. One that ends meanwhile is left out.
    func programs() async -> [ScreenElement] {
        var elements: [ScreenElement] = []
        var facts: [BusName: [ObjectPath: Facts]] = [:]
        for (program, root) in await roots() {
            guard let (element, itsFacts) = try? await read(program, root) else { continue }
            elements.append(element)
            facts[program] = itsFacts
        }
        lastFacts.withLock { $0 = facts }
        return elements
    }

    /// A widget, also one that is hidden, without what is in it; nil: it has gone.
    func widget(of program: BusName, at path: ObjectPath) async throws -> ScreenElement? {
        let facts = try await facts(of: program)
        await learnRoles(of: [path], in: program)
        return element(path, in: program, facts)
    }

    /// Waits until a program says something else than when it was last read; a second at most, because a widget that
    /// nobody has asked for may be shown in place of another. Ends at once if the task is cancelled.
    func waitForChange() async {
        let before = lastFacts.withLock { $0 }
        for _ in 0..<10 {
            guard (try? await Task.sleep(for: .milliseconds(100))) != nil else { return }
            var facts: [BusName: [ObjectPath: Facts]] = [:]
            for (program, _) in await roots() { facts[program] = try? await self.facts(of: program) }
            if facts != before { return }
        }
    }

    private func roots() async -> [(BusName, ObjectPath)] {
        let desktop = Proxy(bus, AccessibleRegistry.busName, "/org/a11y/atspi/accessible/root")
        let children = try? await desktop.call(Accessible.getChildren)
        return (children ?? []).compactMap { child in
            (try? BusName(child.elements.0)).map { ($0, child.elements.1) }
        }
    }

    private func facts(of program: BusName) async throws -> [ObjectPath: Facts] {
        let items = try await Proxy(bus, program, AccessibleCache.path).call(AccessibleCache.getItems)
        return Dictionary(items.map { ($0.elements.0.elements.1, Facts($0)) }) { $1 }
    }

    private func read(
        _ program: BusName,
        _ root: ObjectPath
    ) async throws -> (ScreenElement, [ObjectPath: Facts])? {
        var facts = try await facts(of: program)
        var children: [ObjectPath: [ObjectPath]] = [:]
        var level = [root]
        while !level.isEmpty {
            // The root is said to have no children.
            let parents = level.filter { $0 == root || facts[$0]?.childCount != 0 }
            let found = await ask(parents, in: program) {
                try await $0.call(Accessible.getChildren).map(\.elements.1)
            }
            children.merge(found) { $1 }
            level = found.values.flatMap(\.self)
        }
        let paths = [root] + children.values.joined()
        if paths.contains(where: { facts[$0] == nil }) { facts = try await self.facts(of: program) }
        await learnRoles(of: paths, in: program)
        let paragraphs = roles.withLock { roles in paths.filter { roles[$0] == Self.paragraph } }
        let texts = await ask(paragraphs, in: program) { try await $0.call(AccessibleText.getText, 0, -1) }
        return element(root, in: program, facts, children, texts).map { ($0, facts) }
    }

    private func learnRoles(of paths: [ObjectPath], in program: BusName) async {
        let new = roles.withLock { roles in paths.filter { roles[$0] == nil } }
        let found = await ask(new, in: program) { try await $0.call(Accessible.getRoleName) }
        roles.withLock { $0.merge(found) { $1 } }
    }

    /// Asks many widgets the same at once. Those that have gone are left out.
    private func ask<Answer: Sendable>(
        _ paths: [ObjectPath],
        in program: BusName,
        _ question: @escaping @Sendable (Proxy) async throws -> Answer
    ) async -> [ObjectPath: Answer] {
        await withTaskGroup { [bus] group in
            for path in paths { group.addTask { (path, try? await question(Proxy(bus, program, path))) } }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    /// A widget and all in it; nil: it has gone.
    private func element(
        _ path: ObjectPath,
        in program: BusName,
        _ facts: [ObjectPath: Facts],
        _ children: [ObjectPath: [ObjectPath]] = [:],
        _ texts: [ObjectPath: String] = [:]
    ) -> ScreenElement? {
        guard let own = facts[path], let role = roles.withLock({ $0[path] }) else { return nil }
        return ScreenElement(
            proxy: Proxy(bus, program, path),
            role: role == Self.paragraph ? "label" : role,
            name: texts[path] ?? own.name,
            states: own.states,
            children: (children[path] ?? []).compactMap { element($0, in: program, facts, children, texts) }
        )
    }
}
