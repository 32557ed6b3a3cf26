import AgentInterface
import DBus

extension TrayItem {
    static let menuPath: ObjectPath = "/StatusNotifierItem/Menu"

    /// The object of the item, without handlers.
    func object(_ icons: TrayIcons) -> ExportedObject {
        var object = ExportedObject(StatusNotifierItem.path)
        object.set(StatusNotifierItem.category, "Communications")
        object.set(StatusNotifierItem.id, AgentNames.applicationName.text)
        object.set(StatusNotifierItem.title, "Feedbell")
        object.set(StatusNotifierItem.windowID, 0)
        object.set(StatusNotifierItem.iconThemePath, icons.themePath)
        object.set(StatusNotifierItem.menu, Self.menuPath)
        object.set(StatusNotifierItem.itemIsMenu, false)
        object.set(StatusNotifierItem.attentionIconName, icons.attention)
        object.set(StatusNotifierItem.overlayIconName, "")
        object.set(StatusNotifierItem.attentionMovieName, "")
        object.set(StatusNotifierItem.iconPixmap, [])
        object.set(StatusNotifierItem.overlayIconPixmap, [])
        object.set(StatusNotifierItem.attentionIconPixmap, [])
        set(in: &object)
        return object
    }

    /// Sets the properties that change.
    func set(in sink: inout some PropertySink) {
        sink.set(StatusNotifierItem.status, status.rawValue)
        sink.set(StatusNotifierItem.iconName, icon)
        let text = toolTip.text
        // As the title, without a description: LXQt shows only the title, and a description is markup of different
        // kinds (Pango's in Xfce, Qt's in Plasma).
        sink.set(StatusNotifierItem.toolTip, Structure("", [], text, ""))
        // Xfce takes this one for a missing description of the tool tip, if it is not the title.
        sink.set(StatusNotifierItem.attentionAccessibleDescription, text)
        sink.set(StatusNotifierItem.iconAccessibleDescription, text)
    }
}

extension TrayItem.ToolTip {
    /// One sentence per line, without the characters that waybar, which takes a title for markup, cannot show.
    var text: String {
        ([title] + lines).joined(separator: "\n")
            .replacing("&", with: "\u{FF06}").replacing("<", with: "\u{2039}").replacing(">", with: "\u{203A}")
    }
}
