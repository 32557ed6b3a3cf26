import AgentInterface
import ArgumentParser
import DBus

/// Options that choose an object of the agent.
protocol ObjectOptions: ParsableArguments {
    func object() async throws -> AgentObject
}

/// A command that calls one method without arguments and prints nothing.
protocol OneCallCommand: AsyncParsableCommand {
    associatedtype Target: ObjectOptions
    associatedtype TargetInterface: Interface

    static var method: InterfaceMethod<TargetInterface, (), ()> { get }
    var target: Target { get }
}

extension OneCallCommand {
    func run() async throws { try await target.object().call(Self.method) }
}

/// A command that calls one method with the ids of notifications. The result shows at once and is sent to the service
/// in the background.
protocol NotificationActionCommand: AsyncParsableCommand {
    static var method: InterfaceMethod<AgentInbox, ([String]), ()> { get }
    var notifications: NotificationOptions { get }
}

extension NotificationActionCommand {
    func run() async throws { try await notifications.account.change(notifications.ids, by: Self.method) }
}
