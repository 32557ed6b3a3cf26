import Sandbox

/// The agent with one account at MagicBell, and none at SuprSend.
enum MagicBellAccount {
    static var service: SandboxOptions {
        SandboxOptions(service: .magicBell(MagicBellOptions(users: [AgentProgram.user])))
    }

    /// - Parameter port: That of the service.
    static func options(port: Int) -> AgentProgram.Options {
        var options = AgentProgram.Options()
        options.users = [:]
        options.magicBell = [AgentProgram.account: AgentProgram.user]
        options.magicBellPort = port
        return options
    }

    /// The contents of ``AgentUnderLoad/notification(_:)``, as MagicBell sends them.
    static func notification(_ number: Int) -> JSON {
        [
            "title": .string("Order \(number) was shipped"),
            "content": "Your <b>parcel</b> is on its way and will be there on Friday.",
            "action_url": .string("https://shop.example.com/orders/\(number)"),
            "category": "transactional",
        ]
    }

    /// The agent requests single notifications only that slowly. It loads whole pages when they come faster, because
    /// the service limits requests.
    static let interval = Duration.milliseconds(1_400)
}
