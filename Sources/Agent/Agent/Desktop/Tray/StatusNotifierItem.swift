package import DBus

/// `org.kde.StatusNotifierItem`: an icon in the tray (StatusNotifierItem Specification, "StatusNotifierItem").
///
/// Changes are announced by the interface's own signals, not by `PropertiesChanged`.
package enum StatusNotifierItem: Interface {
    package static let path: ObjectPath = "/StatusNotifierItem"
    package static let name: InterfaceName = "org.kde.StatusNotifierItem"

    /// Width, height, and 32-bit pixels (ARGB, big-endian).
    package typealias Pixmap = Structure<Int32, Int32, [UInt8]>
    /// Icon name, icon, title, and a description that may have markup.
    package typealias ToolTip = Structure<String, [Pixmap], String, String>

    package static let category = Property<String>("Category", .read, emitsChange: .const)
    package static let id = Property<String>("Id", .read, emitsChange: .const)
    package static let title = Property<String>("Title", .read, emitsChange: .none)
    package static let status = Property<String>("Status", .read, emitsChange: .none)
    package static let windowID = Property<Int32>("WindowId", .read, emitsChange: .const)
    package static let iconThemePath = Property<String>("IconThemePath", .read, emitsChange: .const)
    package static let menu = Property<ObjectPath>("Menu", .read, emitsChange: .const)
    package static let itemIsMenu = Property<Bool>("ItemIsMenu", .read, emitsChange: .const)
    package static let iconName = Property<String>("IconName", .read, emitsChange: .none)
    package static let iconPixmap = Property<[Pixmap]>("IconPixmap", .read, emitsChange: .const)
    package static let overlayIconName = Property<String>("OverlayIconName", .read, emitsChange: .const)
    package static let overlayIconPixmap = Property<[Pixmap]>("OverlayIconPixmap", .read, emitsChange: .const)
    /// The text for screen readers instead of the icon; an extension by Ubuntu.
    package static let iconAccessibleDescription = Property<String>("IconAccessibleDesc", .read, emitsChange: .none)
    package static let attentionIconName = Property<String>("AttentionIconName", .read, emitsChange: .const)
    package static let attentionIconPixmap = Property<[Pixmap]>("AttentionIconPixmap", .read, emitsChange: .const)
    /// The description of the attention icon for screen readers.
    package static let attentionAccessibleDescription = Property<String>(
        "AttentionAccessibleDesc",
        .read,
        emitsChange: .none
    )
    package static let attentionMovieName = Property<String>("AttentionMovieName", .read, emitsChange: .const)
    package static let toolTip = Property<ToolTip>("ToolTip", .read, emitsChange: .none)

    /// A click. The arguments are a position on the screen.
    package static let activate = Method("Activate", in: (Argument<Int32>("x"), Argument<Int32>("y")), out: ())
    /// A click with the middle button.
    package static let secondaryActivate = Method(
        "SecondaryActivate",
        in: (Argument<Int32>("x"), Argument<Int32>("y")),
        out: ()
    )
    /// Asks for a menu that the program shows itself.
    package static let contextMenu = Method("ContextMenu", in: (Argument<Int32>("x"), Argument<Int32>("y")), out: ())
    package static let scroll = Method(
        "Scroll",
        in: (Argument<Int32>("delta"), Argument<String>("orientation")),
        out: ()
    )
    /// The activation token for what the next call opens; an addition of Plasma.
    package static let provideXdgActivationToken = Method(
        "ProvideXdgActivationToken",
        in: (Argument<String>("token")),
        out: ()
    )

    package static let newTitle = Signal("NewTitle", ())
    package static let newIcon = Signal("NewIcon", ())
    package static let newAttentionIcon = Signal("NewAttentionIcon", ())
    package static let newOverlayIcon = Signal("NewOverlayIcon", ())
    package static let newToolTip = Signal("NewToolTip", ())
    package static let newStatus = Signal("NewStatus", (Argument<String>("status")))

    package static let members: [any Member] = [
        category, id, title, status, windowID, iconThemePath, menu, itemIsMenu, iconName, iconPixmap, overlayIconName,
        overlayIconPixmap, iconAccessibleDescription, attentionIconName, attentionIconPixmap,
        attentionAccessibleDescription, attentionMovieName, toolTip, activate, secondaryActivate, contextMenu, scroll,
        provideXdgActivationToken, newTitle, newIcon, newAttentionIcon, newOverlayIcon, newToolTip, newStatus,
    ]
}
