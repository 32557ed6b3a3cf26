import Basics
import Inbox

/// The row of an open popup.
extension SavedPopup {
    /// `buttons`, `notifications` and `titles` are ``TextList``s: of a key, a label and a URL each, of an owner and an
    /// id each, and of texts. An `expires` of 0 is never; empty texts are none.
    static let columns = """
        server, id, summary, body, buttons, category, urgency, resident, timeout, notifications, count, titles, \
        is_summary, expires, thread, mark_seen, stays_open, icon, picture
        """
    static let insertion =
        "INSERT OR REPLACE INTO popups (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

    /// The values of ``columns``.
    func row(server: String, id: UInt32) -> [Database.Value] {
        var (buttons, references) = (TextList(), TextList())
        for button in open.buttons {
            for text in [button.key, button.label, button.url?.text ?? ""] { buttons.append(text) }
        }
        for reference in open.references {
            references.append(reference.account)
            references.append(reference.id.rawValue)
        }
        return [
            .text(server), .integer(Int64(id)), .text(popup.summary), .text(popup.body),
            .text(buttons.text), .text(popup.category),
            .integer(Int64(open.urgency)), .integer(popup.isResident ? 1 : 0), .integer(Int64(popup.timeout)),
            .text(references.text), .integer(Int64(open.count)),
            .text(TextList.encode(open.titles)), .integer(open.isSummary ? 1 : 0),
            .integer(open.expires?.milliseconds ?? 0),
            .text(open.thread ?? ""), .text(open.markSeen?.rawValue ?? ""), .integer(open.isResident ? 1 : 0),
            .text(popup.icon), .text(popup.picture),
        ]
    }

    /// A row of ``columns``; nil if a URL in it must not be opened.
    init?(_ row: [Database.Value]) {
        let texts = TextList.decode(row[4].text)
        var buttons: [Popup.Button] = []
        for index in stride(from: 0, to: texts.count - 2, by: 3) {
            let (key, label, address) = (texts[index], texts[index + 1], texts[index + 2])
            let url = OpenableURL(saved: address)
            guard address.isEmpty || url != nil else { return nil }
            buttons.append(Popup.Button(key: key, label: label, url: url))
        }
        let urgency = UInt8(clamping: row[6].integer)
        self.init(
            open: OpenPopup(
                references: Self.references(row[9].text),
                count: Int(clamping: row[10].integer),
                buttons: buttons,
                urgency: urgency,
                expires: row[13].integer == 0 ? nil : Timestamp(milliseconds: row[13].integer),
                titles: TextList.decode(row[11].text),
                isSummary: row[12].integer != 0
            ),
            popup: Popup(
                summary: row[2].text,
                body: row[3].text,
                buttons: buttons,
                category: row[5].text,
                urgency: urgency,
                isResident: row[7].integer != 0,
                timeout: Int32(clamping: row[8].integer),
                icon: row[17].text,
                picture: row[18].text
            )
        )
        open.thread = row[14].text.isEmpty ? nil : row[14].text
        open.markSeen = PopupPolicy.MarkSeen(rawValue: row[15].text)
        open.isResident = row[16].integer != 0
    }

    /// The column `notifications`.
    static func references(_ list: String) -> [NotificationReference] {
        let texts = TextList.decode(list)
        return stride(from: 0, to: texts.count - 1, by: 2).map { index in
            NotificationReference(account: texts[index], id: NotificationID(texts[index + 1]))
        }
    }
}
