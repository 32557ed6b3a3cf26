import AgentInterface
import GTK
import Window

/// A row of the list: a place that has a notification's widgets while it is on the screen, or not far from it.
///
/// GTK keeps up to 200 rows of a list, however few are visible. With their widgets they would take more memory than the
/// rest of the program.
final class RowSlot: ListView.Row {
    let widget: Widget
    private let box: Box
    private var row: NotificationRow?
    private var lineCount = 0
    private var key: String?
    /// What it had when it was named or had widgets.
    private var content: RowContent?
    private var isNameDue = false
    private unowned let window: InboxWindow

    init(in window: InboxWindow) {
        self.window = window
        box = Box()
        widget = box
        box.minimumHeight = RowPool.defaultHeight
    }

    func show(_ key: String) {
        window.frames?.rowBound()
        if key == self.key { return update(key) }
        clear()
        self.key = key
        if window.rowPool.hasFirstRows { fill() } else { nameLater() }
        window.rowsMoved()
    }

    func clear() {
        (key, content) = (nil, nil)
        empty()
    }

    /// Shows what has changed of the notification.
    func update(_ key: String) {
        if let row { return row.update(key) }
        let notification = window.page.lists[RowID(key: key)]
        if content?.isMade(of: notification) != true { nameLater() }
    }

    private func nameLater() {
        if !isNameDue { window.rowPool.nameLater(self) }
        isNameDue = true
    }

    /// Names the row for screen readers while it has no widgets.
    func name() {
        isNameDue = false
        guard row == nil, let key else { return }
        content = window.page.row(RowID(key: key), after: content)
        widget.setRowLabel(content.map { window.name(of: $0) } ?? "")
    }

    /// Names the row at once.
    func nameNow() {
        guard let key, let content = row?.content ?? window.page.row(RowID(key: key), after: content) else { return }
        widget.setRowLabel(window.name(of: content))
    }

    /// Shows whether the notification is selected.
    func updateSelection(_ key: String) { row?.updateSelection(key) }

    /// Whether the slot has the widgets of a notification.
    var isFilled: Bool { row != nil }

    /// The slot is far from the visible part: others need its widgets, unless the focus is in it.
    func leave() { if !widget.hasFocusInside { empty() } }

    func fill() {
        guard let key else { return }
        let row = row ?? window.rowPool.take(in: window)
        if self.row == nil {
            self.row = row
            box.append(row.widget)
            box.minimumHeight = nil
        }
        row.show(key, in: widget, after: content)
        content = nil
        window.rowPool.lines += row.lineCount - lineCount
        lineCount = row.lineCount
    }

    private func empty() {
        guard let row else { return }
        self.row = nil
        content = key == nil ? nil : row.content
        let height = row.widget.height
        box.remove(row.widget)
        // Rows below it stay where they are.
        box.minimumHeight = height > 0 ? height : RowPool.defaultHeight
        window.rowPool.lines -= lineCount
        lineCount = 0
        window.rowPool.give(row)
    }
}

/// The widgets of notifications that no row needs now.
final class RowPool {
    /// The height of a row with two lines of text.
    static let defaultHeight = 82.0
    /// About as many as a window of the default size has near its visible part.
    private static let spareLimit = 32

    private var spare: [NotificationRow] = []
    /// About how many lines the filled rows have.
    var lines = 0
    /// The rows without widgets that need another name.
    private var unnamed: [RowSlot] = []

    /// Whether rows are filled at once, without knowing where they are.
    var hasFirstRows: Bool { lines < FirstRows.lines }

    /// Names a row that is not on the screen, after more urgent work.
    func nameLater(_ place: RowSlot) {
        unnamed.append(place)
        guard unnamed.count == 1 else { return }
        Later.whenIdle {
            Later.inSteps(of: .milliseconds(2)) { [weak self] in
                self?.unnamed.last?.name()
                _ = self?.unnamed.popLast()
                return self?.unnamed.isEmpty == false
            }
        }
    }

    func take(in window: InboxWindow) -> NotificationRow {
        spare.popLast() ?? NotificationRow(in: window)
    }

    func give(_ row: NotificationRow) {
        row.clear()
        if spare.count < Self.spareLimit { spare.append(row) }
    }
}
