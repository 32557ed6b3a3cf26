import AgentInterface
import Basics
import DBus
import Desktop

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
        sink.set(StatusNotifierItem.toolTip, Structure("", [], toolTip.title, toolTip.markup))
    }
}

extension TrayItem.ToolTip {
    /// The lines with the markup of the specification.
    fileprivate var markup: String { lines.map(\.escapedForXML).joined(separator: "<br/>") }
}
