import CAdwaita
import Glibc

/// A list of texts, shown by a fixed number of row widgets that are filled again while the list is scrolled.
///
/// The texts are keys: the rows' contents are the program's.
package final class ListView: Widget {
    override class var type: GType { gtk_list_view_get_type() }

    /// The widgets of a row.
    package protocol Row: AnyObject {
        var widget: Widget { get }
        /// Shows the content of a key. GTK 4.8 also does this, with the same key, when the row is selected or is no
        /// longer.
        func show(_ key: String)
        /// The row is not needed any more.
        func clear()
    }

    private var strings: Object?
    private var selectionModel: Object?
    private var rows: [UnsafeMutableRawPointer: any Row] = [:]
    private var bound: [UnsafeMutableRawPointer: String] = [:]
    private var isChangingSelection = false

    /// The keys in their order.
    package private(set) var keys: [String] = []

    /// The rows that show a key at present, most of them beyond the visible part.
    package var shownRows: [(key: String, row: any Row)] {
        bound.compactMap { item, key in rows[item].map { (key, $0) } }
    }

    /// As ``shownRows``, with the row's number in the list.
    package var numberedRows: [(number: Int, key: String, row: any Row)] {
        bound.compactMap { item, key in
            rows[item].map { (Int(gtk_list_item_get_position(OpaquePointer(item))), key, $0) }
        }
    }

    /// Sets what the list needs to be shown. Call it once.
    ///
    /// - Parameters:
    ///   - makeRow: Makes a row for any key.
    ///   - activated: A row was activated by Enter or a double click.
    ///   - selected: The selected keys, when the user has changed them.
    package func prepare(
        makeRow: @escaping () -> any Row,
        activated: @escaping (String) -> Void,
        selected: @escaping ([String]) -> Void
    ) {
        let strings = Object(owning: UnsafeMutableRawPointer(gtk_string_list_new(nil)))
        self.strings = strings
        let model = gtk_multi_selection_new(OpaquePointer(g_object_ref(strings.pointer)))
        let selection = Object(owning: UnsafeMutableRawPointer(model!))
        selectionModel = selection
        gtk_list_view_set_model(c(), selection.c())
        let factory = Object(owning: UnsafeMutableRawPointer(gtk_signal_list_item_factory_new()))
        factory.onObject("setup") { [unowned self] item in
            let row = makeRow()
            // The keys choose rows; ``enterRow()`` leads into one.
            row.widget.takesFocus = false
            rows[item] = row
            gtk_list_item_set_child(OpaquePointer(item), row.widget.c())
        }
        factory.onObject("bind") { [unowned self] item in
            let key = Self.key(of: item)
            bound[item] = key
            rows[item]?.show(key)
        }
        factory.onObject("unbind") { [unowned self] item in
            bound[item] = nil
        }
        factory.onObject("teardown") { [unowned self] item in
            bound[item] = nil
            rows.removeValue(forKey: item)?.clear()
        }
        gtk_list_view_set_factory(c(), factory.c())
        keepRowForTab()
        onNumber("activate") { [unowned self] position in
            if keys.indices.contains(Int(position)) { activated(keys[Int(position)]) }
        }
        selection.on("selection-changed") { [unowned self] in
            if !isChangingSelection { selected(selectedKeys) }
        }
    }

    /// Lets Tab lead to the row that had the focus last. Since GTK 4.12, it otherwise leads to the first or last one.
    private func keepRowForTab() {
        let withinOneRow: Int32 = 1
        if has("tab-behavior") { set("tab-behavior", withinOneRow) }
    }

    private static func key(of item: UnsafeMutableRawPointer) -> String {
        guard let object = gtk_list_item_get_item(OpaquePointer(item)) else { return "" }
        return gtk_string_object_get_string(OpaquePointer(object)).map { String(cString: $0) } ?? ""
    }

    // MARK: Keys

    /// Changes the list to these keys. What stays is not touched, so that the visible part does not jump.
    package func set(_ new: [String]) {
        guard new != keys else { return }
        isChangingSelection = true
        defer { isChangingSelection = false }
        let first = zip(keys, new).prefix { $0 == $1 }.count
        let last = zip(keys[first...].reversed(), new[first...].reversed()).prefix { $0 == $1 }.count
        replace(first..<keys.count - last, by: new[first..<new.count - last])
        keys = new
    }

    /// Replaces keys that have no equal beginning and no equal end.
    private func replace(_ range: Range<Int>, by new: ArraySlice<String>) {
        let changes = range.isEmpty || new.isEmpty ? nil : new.difference(from: keys[range])
        guard let changes, changes.count <= max(100, keys.count / 2) else {
            return splice(at: range.lowerBound, removing: range.count, adding: new)
        }
        for case .remove(let offset, _, _) in changes.removals.reversed() {
            splice(at: range.lowerBound + offset, removing: 1, adding: [])
        }
        var run: (offset: Int, keys: [String])?
        for case .insert(let offset, let key, _) in changes.insertions {
            if let last = run, last.offset + last.keys.count == offset {
                run?.keys.append(key)
            } else {
                if let last = run { splice(at: range.lowerBound + last.offset, removing: 0, adding: last.keys[...]) }
                run = (offset, [key])
            }
        }
        if let last = run { splice(at: range.lowerBound + last.offset, removing: 0, adding: last.keys[...]) }
    }

    private func splice(at offset: Int, removing count: Int, adding new: ArraySlice<String>) {
        guard let strings else { return }
        var texts: [UnsafePointer<CChar>?] = new.map { UnsafePointer(strdup($0)) } + [nil]
        gtk_string_list_splice(strings.c(), guint(offset), guint(count), &texts)
        for text in texts { free(UnsafeMutablePointer(mutating: text)) }
    }

    // MARK: Selection

    package var selectedKeys: [String] {
        guard let selectionModel else { return [] }
        let set = gtk_selection_model_get_selection(selectionModel.c())
        defer { gtk_bitset_unref(set) }
        return (0..<gtk_bitset_get_size(set)).compactMap { index in
            let position = Int(gtk_bitset_get_nth(set, guint(index)))
            return keys.indices.contains(position) ? keys[position] : nil
        }
    }

    /// Selects exactly these.
    package func select(_ wanted: Set<String>) {
        guard let selectionModel, Set(selectedKeys) != wanted else { return }
        isChangingSelection = true
        defer { isChangingSelection = false }
        let (selected, mask) = (gtk_bitset_new_empty(), gtk_bitset_new_range(0, guint(max(1, keys.count))))
        for (position, key) in keys.enumerated() where wanted.contains(key) {
            gtk_bitset_add(selected, guint(position))
        }
        gtk_selection_model_set_selection(selectionModel.c(), selected, mask)
        gtk_bitset_unref(selected)
        gtk_bitset_unref(mask)
    }

    /// The first selected row that has a widget; nil: there are not several.
    package var firstOfSeveralSelected: Widget? {
        let selected = Set(selectedKeys)
        guard selected.count > 1 else { return nil }
        return numberedRows.filter { selected.contains($0.key) }.min { $0.number < $1.number }?.row.widget.parent
    }

    /// The key of the row that has the focus.
    package var focusedKey: String? {
        guard let root = gtk_widget_get_root(c()), let focus = gtk_root_get_focus(root) else { return nil }
        return bound.first { item, _ in rows[item].map { gtk_widget_get_parent($0.widget.c()) == focus } ?? false }?
            .value
    }

    /// The key of the row that has the focus, or of which a part has it.
    package var focusedRowKey: String? {
        focusedKey ?? bound.first { item, _ in rows[item]?.widget.hasFocusInside ?? false }?.value
    }

    // MARK: Keys in rows

    /// The row with controls to which the keys lead.
    private weak var entered: Widget?

    /// Gives the focus to the first control in the row that has it, or to the next one in it.
    ///
    /// - Returns: Whether the row has controls.
    package func enterRow() -> Bool {
        guard let key = focusedKey else {
            let isInRow = entered?.hasFocusInside == true
            if isInRow { _ = entered?.moveFocus() }
            return isInRow
        }
        guard let row = rows.first(where: { bound[$0.key] == key })?.value else { return false }
        row.widget.takesFocus = true
        entered = row.widget
        if row.widget.moveFocus() { return true }
        row.widget.takesFocus = false
        return false
    }

    /// Gives the focus from a control in a row to the row.
    ///
    /// - Returns: Whether it was in a row.
    package func leaveRow() -> Bool {
        guard focusedKey == nil, let key = focusedRowKey else { return false }
        return focus(key)
    }

    /// Gives the focus to the next control in the row, or to what follows the list.
    package func moveOn(backward: Bool) -> Bool {
        if focusedKey == nil {
            if entered?.moveFocus(backward: backward) == true { return true }
            if backward, leaveRow() { return true }
        }
        guard let root = gtk_widget_get_root(c()) else { return false }
        takesFocus = false
        defer { takesFocus = true }
        return Widget(sharing: UnsafeMutableRawPointer(root)).moveFocus(backward: backward)
    }

    /// The window's focus is elsewhere: keys lead into no row any more.
    package func focusMoved() {
        guard let row = entered, !row.hasFocusInside else { return }
        row.takesFocus = false
        entered = nil
    }

    /// Scrolls to the first row, and stays there when others come above it before the next frame.
    package func scrollToTop() { if !keys.isEmpty { scroll(to: 0) } }

    private func scroll(to position: Int) {
        gtk_widget_activate_action_variant(c(), "list.scroll-to-item", g_variant_new_uint32(guint(position)))
    }

    /// The lower edge of the row with the focus at its beginning, as a place in another widget.
    package func focusedPlace(in other: Widget) -> (x: Double, y: Double)? {
        guard let key = focusedRowKey, let row = rows.first(where: { bound[$0.key] == key })?.value.widget else {
            return nil
        }
        return row.translate(Self.menuIndent, min(row.height, Self.menuIndent), to: other)
    }

    /// How far within a row its menu opens.
    private static let menuIndent = 40.0

    /// Scrolls to a row, and gives it the focus.
    ///
    /// - Returns: Whether it has a widget already. Otherwise, it gets one in one of the next frames.
    package func focus(_ key: String) -> Bool {
        guard let position = keys.firstIndex(of: key) else { return false }
        scroll(to: position)
        return rows.first { bound[$0.key] == key }?.value.widget.focusParent() ?? false
    }
}

extension Widget {
    /// Rows of a list are in a widget of GTK, which has the focus.
    fileprivate func focusParent() -> Bool {
        gtk_widget_get_parent(c()).map { gtk_widget_grab_focus($0) != 0 } ?? false
    }
}
