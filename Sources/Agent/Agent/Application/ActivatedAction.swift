import DBus
import Inbox

/// An action of the application, as `ActivateAction` names it: one of the desktop entry, or a click on a notification.
enum ActivatedAction: Equatable, Sendable {
    /// Open a notification, like a click on its popup; `account` is nil if the caller does not name it.
    case open(account: String?, NotificationID)
    case pause
    case resume
    case markAllRead

    /// - Parameters:
    ///   - name: `open`, or one of the desktop entry's `Actions`.
    ///   - parameter: At most one value. That of `open` is the notification's id, or the account's name and the id.
    /// - Throws: `InvalidArgs`.
    init(_ name: String, parameter: [Value]) throws(DBusError) {
        switch (name, parameter.first?.content) {
        case ("open", .string(let id)?):
            self = .open(account: nil, try AccountSession.checked(id))
        case ("open", .structure(let fields)?):
            guard case (.string(let account)?, .string(let id)?, 2) = (fields.first, fields.last, fields.count) else {
                throw Self.wrongParameter
            }
            self = .open(account: account, try AccountSession.checked(id))
        case ("open", _): throw Self.wrongParameter
        case ("pause", nil): self = .pause
        case ("resume", nil): self = .resume
        case ("mark-all-read", nil): self = .markAllRead
        case ("pause", _), ("resume", _), ("mark-all-read", _):
            throw DBusError(.invalidArgs, "The action \"\(name)\" has no parameter. Pass an empty array.")
        default:
            throw DBusError(
                .invalidArgs,
                "There is no action \"\(name.prefix(100))\". Use one of open, pause, resume, mark-all-read."
            )
        }
    }

    private static var wrongParameter: DBusError {
        DBusError(
            .invalidArgs,
            "The parameter of the action \"open\" must be the id of a notification (s), or the account's name and the "
                + "id (ss)."
        )
    }
}

extension Value {
    /// The value in a variant, otherwise the value itself.
    fileprivate var content: Value { if case .variant(let value) = self { value.content } else { self } }
}

/// The activation token that a desktop passes to the program that it activates (Desktop Entry Specification 1.5, "D-Bus
/// Activation"), for what the program opens.
struct ActivationToken: Equatable, Sendable {
    /// nil: none.
    let text: String?

    /// - Parameter data: The argument `platform_data`. Values of other types are ignored.
    init(_ data: [String: Value]) {
        text =
            ["activation-token", "desktop-startup-id"].lazy.compactMap { key -> String? in
                guard case .string(let text)? = data[key]?.content, !text.isEmpty else { return nil }
                return text
            }.first
    }
}
