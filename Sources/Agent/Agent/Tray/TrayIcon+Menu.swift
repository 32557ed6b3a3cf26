import Basics
import DBus
import Logging

/// The menu of the tray icon.
extension TrayIcon {
    func menuObject() -> ExportedObject {
        var object = ExportedObject(TrayItem.menuPath)
        object.set(DBusMenu.version, DBusMenu.protocolVersion)
        object.set(DBusMenu.textDirection, "ltr")
        object.set(DBusMenu.status, "normal")
        object.set(DBusMenu.iconThemePath, [])
        object.handle(DBusMenu.getLayout) { parent, depth, names in try await self.layout(parent, depth, names) }
        object.handle(DBusMenu.getGroupProperties) { ids, names in await self.menu.properties(of: ids, names) }
        object.handle(DBusMenu.getProperty) { id, name in try await self.property(id, name) }
        object.handle(DBusMenu.event) { id, event, _, _ in try await self.handle(event, of: id) }
        object.handle(DBusMenu.eventGroup) { events in try await self.handle(events) }
        object.handle(DBusMenu.aboutToShow) { id in try await self.prepare(id) }
        object.handle(DBusMenu.aboutToShowGroup) { ids in try await self.prepare(ids) }
        return object
    }

    // MARK: Contents

    private func layout(
        _ parent: Int32,
        _ depth: Int32,
        _ names: [String]
    ) async throws(DBusError) -> (UInt32, DBusMenu.Layout) {
        await update()
        guard let layout = menu.layout(of: parent, depth: depth, properties: names) else {
            throw Self.unknown(parent)
        }
        deliveredRevision = menu.revision
        if depth == 1 { announceSubmenus(of: parent) }
        return (menu.revision, layout)
    }

    /// Announces once that the entries of each submenu can be requested.
    ///
    /// Plasma requests them when it opens the submenu, which it has placed before: without entries it fits between the
    /// menu and the edge of the screen, with them it does not. It requests at once what has changed.
    private func announceSubmenus(of parent: Int32) {
        announcedSubmenus = announcedSubmenus.filter(menu.contains)
        let new = menu.submenus(of: parent).filter { announcedSubmenus.insert($0).inserted }
        let revision = menu.revision
        bus.sendSignals(logger) { (bus) throws(DBusError) in
            for id in new { try bus.emit(DBusMenu.layoutUpdated, revision, id, from: TrayItem.menuPath) }
        }
    }

    private func property(_ id: Int32, _ name: String) throws(DBusError) -> Value {
        guard menu.contains(id) else { throw Self.unknown(id) }
        guard let value = menu.property(name, of: id) else {
            throw DBusError(.invalidArgs, "The item \(id) has no property \"\(name.prefix(100))\".")
        }
        return value
    }

    private static func unknown(_ id: Int32) -> DBusError {
        DBusError(.invalidArgs, "There is no menu item \(id). Call GetLayout for the current ones.")
    }

    /// Makes the menu from the present state, and announces what changed.
    private func update() async {
        guard let contents = await agent?.trayMenu() else { return }
        announce(menu.replace(with: contents.entries))
    }

    private func announce(_ difference: MenuTree<TrayMenuKey>.Difference) {
        // No program has a layout yet.
        guard !difference.isEmpty, deliveredRevision > 0 else { return }
        let revision = menu.revision
        bus.sendSignals(logger) { (bus) throws(DBusError) in
            if !difference.updated.isEmpty || !difference.removed.isEmpty {
                try bus.emit(
                    DBusMenu.itemsPropertiesUpdated,
                    difference.updated.sorted { $0.key < $1.key }.map { Structure($0.key, $0.value) },
                    difference.removed.sorted { $0.key < $1.key }.map { Structure($0.key, $0.value) },
                    from: TrayItem.menuPath
                )
            }
            if let parent = difference.parent {
                try bus.emit(DBusMenu.layoutUpdated, revision, parent, from: TrayItem.menuPath)
            }
        }
    }

    /// Announces that the menu has changed, once after each request for it.
    func expireMenu() {
        guard menu.revision == deliveredRevision else { return }
        menu.expire()
        let revision = menu.revision
        bus.sendSignals(logger) { (bus) throws(DBusError) in
            try bus.emit(DBusMenu.layoutUpdated, revision, MenuTree<TrayMenuKey>.root, from: TrayItem.menuPath)
        }
    }

    /// A program is about to show an item's children. Returns whether it has an old layout.
    private func prepare(_ id: Int32) async throws(DBusError) -> Bool {
        await update()
        return try prepareUpdated(id)
    }

    private func prepareUpdated(_ id: Int32) throws(DBusError) -> Bool {
        guard menu.contains(id) else { throw Self.unknown(id) }
        if id == MenuTree<TrayMenuKey>.root || menu.key(of: id) == .preferences { preferenceLoads.send() }
        return menu.revision != deliveredRevision
    }

    /// The menu is made once for all of these items, each of which counts once.
    private func prepare(_ ids: [Int32]) async throws(DBusError) -> ([Int32], [Int32]) {
        await update()
        var (old, unknown): ([Int32], [Int32]) = ([], [])
        var prepared: Set<Int32> = []
        for id in ids where prepared.insert(id).inserted {
            do throws(DBusError) { if try prepareUpdated(id) { old.append(id) } } catch { unknown.append(id) }
        }
        if let id = unknown.first, unknown.count == prepared.count { throw Self.unknown(id) }
        return (old, unknown)
    }

    /// Loads the preferences while the menu is shown: it has them at once if they are known.
    func loadPreferences() async {
        await agent?.loadTrayPreferences()
        await update()
    }

    // MARK: Events

    private func handle(_ event: String, of id: Int32) async throws(DBusError) {
        guard menu.contains(id) else { throw Self.unknown(id) }
        guard event == "clicked", let key = menu.key(of: id) else { return }
        do throws(DBusError) { try await press(key) } catch {
            logger.warning("the menu's entry failed", metadata: ["reason": "\(error.message)"])
            throw error
        }
    }

    /// A click on an item counts once.
    private func handle(_ events: [DBusMenu.Event]) async throws(DBusError) -> [Int32] {
        var unknown: [Int32] = []
        var received: Set<Int32> = []
        for event in events where event.elements.1 != "clicked" || received.insert(event.elements.0).inserted {
            guard menu.contains(event.elements.0) else {
                unknown.append(event.elements.0)
                continue
            }
            // Its failure is logged.
            try? await handle(event.elements.1, of: event.elements.0)
        }
        if let id = unknown.first, unknown.count == events.count { throw Self.unknown(id) }
        return unknown
    }
}
