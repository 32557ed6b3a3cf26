import Basics
import ClientKit
import Inbox

@testable import Agent

/// Echo's preferences: categories with channels.
struct EchoPreferences: PreferencesService {
    let feed: EchoFeed

    func run(_ changed: @escaping @Sendable () async -> Void) async {
        await feed.observePreferences(changed)
        await Completion().wait()
        await feed.observePreferences(nil)
    }

    func load() async throws(ServiceFailure) -> PreferencesContents {
        do { return PreferencesContents(categories: try await feed.api.preferences().categories) } catch {
            throw ServiceFailure(error)
        }
    }

    func apply(_ changes: [PreferenceChange], to contents: PreferencesContents) async throws(ServiceFailure)
        -> PreferenceAnswer
    {
        guard case .category(let id)? = changes.first?.target else { return .accepted }
        var members: [String: JSONValue] = [:]
        var channels: [String: JSONValue] = [:]
        for change in changes {
            switch change {
            case .category(_, let isOn): members["on"] = .bool(isOn)
            case .channel(let channel, _, let isOn): channels[channel] = .bool(isOn)
            case .overall, .digest, .property, .topic: break
            }
        }
        if !channels.isEmpty { members["channels"] = .object(channels) }
        do {
            let answer = try await feed.api.setPreference(id, members)
            return answer.categories.first { $0.id == id }.map(PreferenceAnswer.category) ?? .accepted
        } catch {
            throw ServiceFailure(changing: error)
        }
    }
}
