import AgentInterface
import Basics
import DBus
import Inbox

/// Whether popups show texts: a setting with a switch.
extension Agent {
    var hidesText: Bool { configuration.popups.text == .hide }

    /// Changes the setting in `settings.toml`, and applies it.
    ///
    /// - Throws: `NotEditable` if a preset locks it, or the user's own file sets it.
    func hideText(_ isHidden: Bool) async throws(DBusError) {
        let settings = Settings(file, clock: environment.clock)
        let text: PopupPolicy.Text = isHidden ? .hide : .show
        let cancellation = DBusError(.cancelled, "The agent was stopped.")
        try await reloading.pass(orThrow: cancellation) { () async throws(DBusError) in
            guard self.configuration.popups.text != text else { return }
            do throws(AgentRequest.Failure) {
                _ = try await settings.change([SettingChange("\(Setting.popupText)", text.rawValue)])
            } catch {
                throw DBusError(error.kind == .refused ? AgentErrors.notEditable : .failed, error.reason)
            }
            try await self.applyChangedFile()
        }
    }
}
