import GTK
import Window

/// A row of the list: a place that has a notification's widgets while it is on the screen, or not far from it.
///
/// GTK keeps up to 200 rows of a list, however few are visible. With their widgets they would take more memory than the
/// rest of the program.
final class RowPlace: ListView.Row {
    let widget: Widget
    private let box: Box
    private var row: NotificationRow?
    private var key: String?
    private unowned let window: InboxWindow

    init(in window: InboxWindow) {
        self.window = window
        box = Box()
        widget = box
        box.minimumHeight = RowPool.usualHeight
    }

    func show(_ key: String) {
        self.key = key
        if row != nil || window.rowPool.hasFirstRows {
            fill()
        } else {
            widget.setRowLabel(window.page.row(RowID(key: key))?.spoken ?? "")
        }
        window.rowsMoved()
    }

    func clear() {
        key = nil
        empty()
    }

    /// Shows what has changed of the notification.
    func update(_ key: String) { row?.update(key) }

    /// Shows whether the notification is selected.
    func updateSelection(_ key: String) { row?.updateSelection(key) }

    /// - Parameters:
    ///   - place: Its upper and lower edge in the visible part.
    ///   - height: That of the visible part.
    func moved(to place: ClosedRange<Double>, height: Double) {
        if place.overlaps(-height / 2...height * 3 / 2) {
            if row == nil { fill() }
        } else if !place.overlaps(-height...height * 2), !widget.hasFocusInside {
            empty()
        }
    }

    private func fill() {
        guard let key else { return }
        let row = row ?? window.rowPool.take(in: window)
        if self.row == nil {
            self.row = row
            box.append(row.widget)
            box.minimumHeight = nil
        }
        row.show(key, in: widget)
    }

    private func empty() {
        guard let row else { return }
        self.row = nil
        let height = row.widget.height
        box.remove(row.widget)
        // Rows below it stay where they are.
        box.minimumHeight = height > 0 ? height : RowPool.usualHeight
        window.rowPool.give(row)
    }
}

/// The widgets of notifications that no row needs now.
final class RowPool {
    /// The height of a row with two lines of text.
    static let usualHeight = 82.0
    /// Rows that are filled before the list has its places: enough for the usual size of the window.
    private static let firstRows = 10
    private static let spareLimit = 4

    private var spare: [NotificationRow] = []
    private var used = 0

    /// Whether rows are filled at once, without knowing where they are.
    var hasFirstRows: Bool { used < Self.firstRows }

    func take(in window: InboxWindow) -> NotificationRow {
        used += 1
        return spare.popLast() ?? NotificationRow(in: window)
    }

    func give(_ row: NotificationRow) {
        used -= 1
        row.clear()
        if spare.count < Self.spareLimit { spare.append(row) }
    }
}
