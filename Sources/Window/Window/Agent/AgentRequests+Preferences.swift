import AgentInterface
import DBus

extension AgentRequests {
    package func preferences(of account: String) async -> PreferencesReply {
        let proxy = proxy(of: account)
        do throws(DBusError) {
            let categories = try await proxy.call(AgentPreferences.list, autoStart: false)
            let levels = try await proxy.call(AgentPreferences.listChannels, autoStart: false)
            return .loaded(
                categories.map(CategoryRecord.init),
                levels: levels.map { level in
                    let (channel, text) = level.elements
                    return ChannelSetting(
                        channel: channel,
                        isOnlyRequired: PreferenceLevel(rawValue: text)?.isOnlyRequired ?? false
                    )
                }
            )
        } catch {
            return .failed(RequestFailure.sentence(error))
        }
    }

    /// - Returns: Why it failed, in a sentence; nil: it succeeded.
    package func send(_ request: PreferenceRequest) async -> String? {
        let proxy = proxy(of: request.account)
        do throws(DBusError) {
            switch request.change {
            case .category(let id, let isOn):
                let preference = PreferenceSwitch(isOn: isOn).rawValue
                try await proxy.call(AgentPreferences.setCategory, id, preference, autoStart: false)
            case .channel(let category, let channel, let isOn):
                let preference = PreferenceSwitch(isOn: isOn).rawValue
                try await proxy.call(
                    AgentPreferences.setCategoryChannel,
                    category,
                    channel,
                    preference,
                    autoStart: false
                )
            case .level(let channel, let level):
                try await proxy.call(AgentPreferences.setChannel, channel, level.rawValue, autoStart: false)
            case .digest(let category, let change):
                try await proxy.call(AgentPreferences.setDigest, category, change.values, autoStart: false)
            case .property(let category, let id, let value):
                try await proxy.call(AgentPreferences.setProperty, category, id, value, autoStart: false)
            }
            return nil
        } catch {
            return RequestFailure.sentence(error)
        }
    }
}
