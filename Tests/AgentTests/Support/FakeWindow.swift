import AgentInterface
import Basics
import DBus
import TestSupport
import Testing

/// The window as the bus knows it.
struct FakeWindow {
    enum Call: Equatable {
        case activate(token: Value?)
        case action(String, [Value], token: Value?)
    }

    let calls = Mailbox<Call>()

    func next(sourceLocation: SourceLocation = #_sourceLocation) async -> Call? {
        await calls.messages.next(sourceLocation: sourceLocation)
    }

    func own(_ bus: Bus) async throws {
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
