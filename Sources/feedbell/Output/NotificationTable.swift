import DBus
import Glibc

/// What `feedbell list` says.
struct NotificationTable {
    var items: [[String: Value]]
    /// Milliseconds since the Unix epoch.
    var now: Int64

    /// For a terminal of so many columns: a mark for what is unread, the shortest id that will do, the time, the title.
    func text(columns: Int) -> String {
        let short = IDResolver(known: items.compactMap { $0.text("id") }).shortest
        let rows = items.map { item in
            (
                mark: item.time("read") == 0 ? "●" : " ", pin: item.flag("pinned") ? "^" : " ",
                id: item.text("id").flatMap { short[$0] } ?? "", time: LocalTime(item.time("created")).text(now: now),
                words: Self.words(item)
            )
        }
        let idWidth = rows.map(\.id.count).max() ?? 0
        let timeWidth = rows.map(\.time.count).max() ?? 0
        return rows.map { row in
            let head = "\(row.mark)\(row.pin) \(row.id.padded(to: idWidth))  \(row.time.padded(to: timeWidth))  "
            return (head + row.words.printable).cut(to: columns) + "\n"
        }.joined()
    }

    /// For another program: id, `unread` or `read`, milliseconds since the Unix epoch, title; between tabs.
    var lines: String {
        items.map { item in
            let fields = [
                item.text("id") ?? "", item.time("read") == 0 ? "unread" : "read", "\(item.time("created"))",
                item.text("title") ?? "",
            ]
            return fields.map { $0.printable.replacingLineEnds }.joined(separator: "\t") + "\n"
        }.joined()
    }

    private static func words(_ item: [String: Value]) -> String {
        [item.text("title"), item.text("body")].compactMap { $0?.replacingLineEnds }.filter { !$0.isEmpty }
            .joined(separator: " — ")
    }

    /// The width of the terminal that standard output is; nil when it is none.
    static var terminalColumns: Int? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}

extension String {
    /// On one line, without tabs.
    fileprivate var replacingLineEnds: String { String(map { $0.isNewline || $0 == "\t" ? " " : $0 }) }

    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    fileprivate func cut(to width: Int) -> String { count <= width ? self : prefix(max(0, width - 1)) + "…" }
}
