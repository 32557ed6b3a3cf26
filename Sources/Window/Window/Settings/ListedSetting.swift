import AgentInterface
import FoundationEssentials

/// A setting of the agent as its program lists it, with the value that its TOML means.
struct ListedSetting: Equatable {
    enum Content: Equatable {
        case none
        case flag(Bool)
        case number(Int64)
        case text(String)
        case texts([String])
    }

    let details: SettingDetails
    let content: Content

    init(_ details: SettingDetails) {
        self.details = details
        // The agent writes values so that their TOML is also JSON.
        let json = Data("[\(details.value)]".utf8)
        let decoder = JSONDecoder()
        if details.value.isEmpty {
            content = .none
        } else if let flag = try? decoder.decode([Bool].self, from: json).first {
            content = .flag(flag)
        } else if let number = try? decoder.decode([Int64].self, from: json).first {
            content = .number(number)
        } else if let text = try? decoder.decode([String].self, from: json).first {
            content = .text(text)
        } else if let texts = try? decoder.decode([[String]].self, from: json).first {
            content = .texts(texts)
        } else {
            content = .text(details.value)
        }
    }

    /// nil: it is none.
    var text: String? { if case .text(let text) = content { text } else { nil } }

    var number: Int64? { if case .number(let number) = content { number } else { nil } }

    var texts: [String] { if case .texts(let texts) = content { texts } else { [] } }

    var isOn: Bool { content == .flag(true) }
}
