import AgentInterface
import Basics
package import DBus
import TestSupport
package import Testing

/// The window as the bus knows it.
package struct FakeWindow: Sendable {
    package enum Call: Equatable, Sendable {
        case activate(token: Value?)
        case action(String, [Value], token: Value?)
    }

    private let calls = Mailbox<Call>()

    package init() {}

    package func next(sourceLocation: SourceLocation = #_sourceLocation) async -> Call? {
        await calls.messages.next(sourceLocation: sourceLocation)
    }

    package func own(_ bus: Bus) async throws {
        var object = ExportedObject(AgentNames.windowPath)
        object.handle(DesktopApplication.activate) { [calls] data in
            calls.send(.activate(token: data["activation-token"]))
        }
        object.handle(DesktopApplication.activateAction) { [calls] name, parameter, data in
            calls.send(.action(name, parameter, token: data["activation-token"]))
        }
        try await bus.export(object)
        _ = try await bus.requestName(AgentNames.windowName)
    }
}
