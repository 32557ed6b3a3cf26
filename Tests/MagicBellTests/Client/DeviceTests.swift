import Basics
import FoundationEssentials
import TestSupport
import Testing

@testable import MagicBell

@Suite("This device is registered for every connected user", .timeLimit(.minutes(5)))
struct DeviceTests {
    private static let token = PushToken.fcm(deviceToken: "first")
    private static let other = PushToken.fcm(deviceToken: "second")

    @Test("Setting a token registers it for every connected user, in place of the previous one") func set() async throws
    {
        let world = try ClientWorld()
        for index in 0..<3 { _ = try world.client.connectUser(externalID: "\(index)") }
        try await world.client.setDeviceToken(Self.token)
        try await world.client.setDeviceToken(Self.token)
        try await world.client.setDeviceToken(Self.other)
        for index in 0..<3 {
            let expected: [FakeInboxAPI.Call] = [.register(Self.token), .unregister(Self.token), .register(Self.other)]
            #expect(world.part(index).api.calls == expected)
        }
    }

    @Test("The token is kept for users who connect later") func laterUsers() async throws {
        let world = try ClientWorld()
        try await world.client.setDeviceToken(Self.token)
        _ = try world.client.connectUser(externalID: "1")
        await world.running {
            await world.api.waitForCall { $0 == .register(Self.token) }
            _ = try? world.client.connectUser(externalID: "2")
            await world.part(1).api.waitForCall { $0 == .register(Self.token) }
        }
    }

    @Test("Bytes of Apple's service are sent in hexadecimal") func bytes() async throws {
        let world = try ClientWorld()
        _ = try world.client.connectUser(externalID: "1")
        try await world.client.setDeviceToken(Data([0x0B, 0xAD, 0x00, 0xFF]), environment: .development)
        let expected = PushToken.apns(deviceToken: "0bad00ff", environment: .development)
        #expect(world.api.devices == [expected])
    }

    @Test("A failure that may pass is retried after a growing delay") func retries() async throws {
        let world = try ClientWorld()
        _ = try world.client.connectUser(externalID: "1")
        for _ in 0..<3 { world.api.fail(.broken) }
        await #expect(throws: MagicBellError.broken) { try await world.client.setDeviceToken(Self.token) }
        await world.running {
            for delay in [Duration.seconds(1), .seconds(2)] {
                await world.clock.sleeper(for: delay)
                world.clock.advance(by: delay)
            }
            await world.api.waitForCalls(4)
        }
        #expect(world.api.devices == [Self.token])
    }

    @Test("A refused registration is not retried before other credentials or another token") func refused() async throws
    {
        let world = try ClientWorld()
        _ = try world.client.connectUser(externalID: "1")
        for error in [MagicBellError(.unauthorized, "x", status: 401), .refused] {
            let count = world.api.calls.count
            world.api.fail(error)
            await #expect(throws: error) { try await world.client.setDeviceToken(Self.token) }
            await #expect(throws: error) { try await world.client.setDeviceToken(Self.token) }
            #expect(world.api.calls.count == count + 1)
            _ = try world.client.connectUser(externalID: "1", hmac: "new \(count)")
        }
        try await world.client.setDeviceToken(Self.token)
        #expect(world.api.devices == [Self.token])
    }

    @Test("A registration with an unknown result is unregistered at the end") func unknownResult() async throws {
        let world = try ClientWorld()
        let user = try world.client.connectUser(externalID: "1")
        world.api.fail(.broken)
        await #expect(throws: MagicBellError.broken) { try await world.client.setDeviceToken(Self.token) }
        try await world.client.disconnectUser(user)
        #expect(world.api.calls == [.register(Self.token), .unregister(Self.token)])
    }

    @Test("A user who connects again while the device is being unregistered keeps the device") func reconnected()
        async throws
    {
        let world = try ClientWorld()
        let user = try world.client.connectUser(externalID: "1")
        try await world.client.setDeviceToken(Self.token)
        world.api.hold { if case .unregister = $0 { true } else { false } }
        async let end: Void = world.client.disconnectUser(user)
        await world.api.waitForCall { $0 == .unregister(Self.token) }
        _ = try world.client.connectUser(externalID: "1")
        world.api.release()
        try await end
        await world.running {
            await world.part(1).api.waitForCall { $0 == .register(Self.token) }
        }
    }

    @Test("Device states: what is sent next, and what is given up") func states() {
        var state = DeviceState()
        #expect(state.next == nil)
        state.want(Self.token)
        #expect(state.next == .register(Self.token))
        state.begin(.register(Self.token))
        var isRetried = state.fail(.register(Self.token), .broken)
        #expect(isRetried)
        #expect(state.present == [Self.token])
        state.want(nil)
        #expect(state.next == .unregister(Self.token))
        state.begin(.unregister(Self.token))
        isRetried = state.fail(.unregister(Self.token), MagicBellError(.unauthorized, "x"))
        #expect(!isRetried)
        #expect(state.next == nil && state.present == [])
        state.want(Self.other)
        state.begin(.register(Self.other))
        isRetried = state.fail(.register(Self.other), .refused)
        #expect(!isRetried)
        #expect(state.next == nil && state.refusal == .refused)
        state.credentialsChanged()
        #expect(state.next == .register(Self.other))
    }
}
