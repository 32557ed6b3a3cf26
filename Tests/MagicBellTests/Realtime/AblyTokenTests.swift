import ClientKit
import MagicBell
import TestSupport
import Testing

@Suite("Ably's tokens and refusals in the realtime feed", .timeLimit(.minutes(5)))
struct AblyTokenTests {
    private static let expired =
        #"{"action":6,"error":{"code":40142,"statusCode":401,"message":"Token tok-1 expired"}}"#

    @Test("After a token error the connection is resumed at once with a new token; a second one in a row waits")
    func tokenErrors() async throws {
        try await RealtimeWorld.with { world in
            try await world.online().push(Self.expired)
            await world.expect(.connecting)
            let second = try await world.acceptAbly(2, flags: 4)
            #expect(RealtimeWorld.query("accessToken", of: second.url) == "tok-2")
            #expect(RealtimeWorld.query("resume", of: second.url) == "c1%21k1")
            await world.expect(.connected(isContinuous: true))
            second.push(#"{"action":9,"error":{"code":40140,"statusCode":401,"message":"Token tok-2 revoked"}}"#)
            let (error, delay) = try await world.lost()
            #expect(error.kind == .unreachable && error.codes == ["40140"] && delay == 1)
            #expect(!error.message.contains("tok-2") && error.message.contains("revoked"))
            await world.feed.reconnect()
            await world.expect(.connecting)
            #expect(RealtimeWorld.query("accessToken", of: try await world.socket.connection(3).url) == "tok-3")
        }
    }

    @Test("After a minute on a connection, a token error is again followed by an attempt at once")
    func laterTokenError() async throws {
        let noHeartbeats = #"{"action":4,"connectionDetails":{"connectionKey":"k","maxIdleInterval":0}}"#
        try await RealtimeWorld.with { world in
            try await world.online(connected: noHeartbeats).push(Self.expired)
            await world.expect(.connecting)
            let second = try await world.acceptAbly(2, connected: noHeartbeats)
            await world.expect(.connected(isContinuous: false))
            world.clock.advance(by: .seconds(60))
            second.push(Self.expired)
            await world.expect(.connecting)
            _ = try await world.socket.connection(3)
        }
    }

    @Test("AUTH of the server is answered with a new token on the same connection, while events go on")
    func inBandAuth() async throws {
        try await RealtimeWorld.with { world in
            let connection = try await world.online()
            await world.service.hold()
            connection.push(#"{"action":17}"#)
            await world.service.wait(for: "token request", 2)
            connection.push(#"{"action":15,"channel":"c","messages":[{"name":"notifications/seen/all"}]}"#)
            await world.expect(.event(.allSeen))
            await world.service.release()
            #expect(try await connection.frame(2) == #"{"action":17,"auth":{"accessToken":"tok-2"}}"#)
            connection.push(RealtimeWorld.connected)
            connection.push(#"{"action":15,"channel":"c","messages":[{"name":"notifications/read/all"}]}"#)
            await world.expect(.event(.allRead))
            #expect(await world.socket.urls.count == 1)
        }
    }

    @Test("The token is renewed on the connection before it expires, again after a failure") func renewal() async throws
    {
        try await RealtimeWorld.with { world in
            let noHeartbeats = #"{"action":4,"connectionDetails":{"connectionKey":"k","maxIdleInterval":0}}"#
            let connection = try await world.online(connected: noHeartbeats)
            await world.service.authorize(.failure(MagicBellError(.serverFailure, "The service failed.")))
            await world.clock.sleeper(for: .seconds(10))
            world.clock.advance(by: .seconds(3569))
            await world.clock.sleeper(for: .seconds(1))
            #expect(await world.service.count("token request") == 1)
            world.clock.advance(by: .seconds(1))
            await world.clock.sleeper(for: .seconds(15))
            world.clock.advance(by: .seconds(15))
            #expect(try await connection.frame(2) == #"{"action":17,"auth":{"accessToken":"tok-2"}}"#)
            #expect(await world.service.count("token request") == 3)
        }
    }

    @Test("A token that has expired meanwhile is not used again") func expiredToken() async throws {
        try await RealtimeWorld.with { world in
            try await world.online().breakDown()
            _ = try await world.lost()
            await world.clock.sleeper(for: .seconds(5))
            world.clock.advance(by: .seconds(3600))
            await world.expect(.connecting)
            #expect(RealtimeWorld.query("accessToken", of: try await world.socket.connection(2).url) == "tok-2")
        }
    }

    @Test("When the channel is not permitted, configuration and token are loaded again once, then after a delay")
    func notPermitted() async throws {
        let service = ScriptedService()
        await service.configure(.success(UserConfiguration(channel: "old")))
        let refusal = #","error":{"code":40160,"statusCode":401,"message":"not permitted"}}"#
        try await RealtimeWorld.with(service: service) { world in
            await world.expect(.connecting)
            let first = try await world.socket.connection(1)
            first.push(RealtimeWorld.connected)
            #expect(try await first.frame(1) == #"{"action":10,"channel":"old"}"#)
            first.push(#"{"action":9,"channel":"old"\#(refusal)"#)
            await world.expect(.connecting)
            let second = try await world.socket.connection(2)
            #expect(RealtimeWorld.query("accessToken", of: second.url) == "tok-2")
            #expect(RealtimeWorld.query("resume", of: second.url) == nil)
            second.push(RealtimeWorld.connected)
            #expect(try await second.frame(1) == #"{"action":10,"channel":"c"}"#)
            second.push(#"{"action":9,"channel":"c"\#(refusal)"#)
            let (error, delay) = try await world.lost()
            #expect(error.kind == .rejected && error.codes == ["40160"] && delay == 60)
            #expect(await world.service.count("configuration") == 2)
        }
    }

    @Test("A refused connection is retried slowly, with another configuration and token") func refused() async throws {
        try await RealtimeWorld.with { world in
            try await world.online().push(
                #"{"action":9,"error":{"code":40400,"statusCode":404,"message":"no such app"}}"#
            )
            let (error, delay) = try await world.lost()
            #expect(error.kind == .rejected && error.status == 404 && delay == 60)
            #expect(error.message == "The realtime server refused the connection (40400): no such app")
            await world.clock.sleeper(for: .seconds(60))
            world.clock.advance(by: .seconds(60))
            await world.expect(.connecting)
            let second = try await world.acceptAbly(2, flags: 4)
            #expect(RealtimeWorld.query("accessToken", of: second.url) == "tok-2")
            #expect(RealtimeWorld.query("resume", of: second.url) == nil)
            #expect(try await second.frame(1) == #"{"action":10,"channel":"c"}"#)
            await world.expect(.connected(isContinuous: false))
            #expect(await world.service.count("configuration") == 2)
        }
    }

    @Test("A failure of the server is retried soon") func serverFailure() async throws {
        try await RealtimeWorld.with { world in
            try await world.online().push(#"{"action":9,"error":{"code":50000,"statusCode":500}}"#)
            let (error, delay) = try await world.lost()
            #expect(error.kind == .serverFailure && delay == 1)
        }
    }

    @Test(
        "An error of the service decides how soon the next attempt is",
        arguments: [
            (MagicBellError(.unauthorized, "no", status: 401), 60), (MagicBellError(.forbidden, "no", status: 403), 60),
            (MagicBellError(.serverFailure, "no", status: 500), 1), (MagicBellError(.unreachable, "no"), 1),
            (MagicBellError(.rateLimited, "no", status: 429, retryAfter: .seconds(20)), 20.9),
        ] as [(MagicBellError, Double)]
    )
    func serviceErrors(error: MagicBellError, delay: Double) async throws {
        for isConfiguration in [true, false] {
            let service = ScriptedService()
            if isConfiguration {
                await service.configure(.failure(error))
            } else {
                await service.authorize(.failure(error))
            }
            try await RealtimeWorld.with(service: service) { world in
                await world.expect(.connecting)
                let lost = try await world.lost()
                #expect(lost.0 == error && abs(lost.1 - delay) < 0.001)
                await world.feed.reconnect()
                _ = try await world.online()
            }
        }
    }

    @Test("A configuration without a channel is reported") func noChannel() async throws {
        let service = ScriptedService()
        await service.configure(.success(nil))
        try await RealtimeWorld.with(service: service) { world in
            await world.expect(.connecting)
            let (error, delay) = try await world.lost()
            #expect(error.kind == .unsupported && delay == 60)
        }
    }

    @Test(
        "A refused exchange of the token request is reported without the signature",
        arguments: [
            (
                401, #"{"error":{"code":40101,"statusCode":401,"message":"mac s3cr3t-mac does not match"}}"#,
                .rejected, 60
            ),
            (403, #"{"error":{"code":40300,"statusCode":403}}"#, .rejected, 60),
            (400, #"{"error":{"code":40000,"message":"bad"}}"#, .rejected, 60),
            (500, #"{"error":{"code":50000}}"#, .serverFailure, 1),
            (429, #"{"error":{"code":42910}}"#, .rateLimited, 1),
            (403, "<html>Proxy</html>", .unexpectedAnswer, 1), (502, "", .serverFailure, 1),
            (200, #"{"keyName":"app.key"}"#, .unexpectedAnswer, 1), (200, "<html>", .unexpectedAnswer, 1),
        ] as [(Int, String, MagicBellError.Kind, Double)]
    )
    func refusedExchange(status: Int, body: String, kind: MagicBellError.Kind, delay: Double) async throws {
        let service = ScriptedService()
        await service.hold()
        try await RealtimeWorld.with(service: service) { world in
            await world.rest.answer(status, body)
            await world.service.release()
            await world.expect(.connecting)
            let lost = try await world.lost()
            #expect(lost.0.kind == kind && lost.0.status == status && lost.1 == delay)
            #expect(!lost.0.message.contains("s3cr3t-mac"))
            // A token request is valid once.
            await world.feed.reconnect()
            _ = try await world.online()
            #expect(await world.rest.requests.map(\.body).count == 2)
            #expect(await world.rest.requests[0].body != world.rest.requests[1].body)
        }
    }

    @Test("A token request without a key, and a token that is none, are reported") func unusableAuthorization()
        async throws
    {
        let service = ScriptedService()
        await service.authorize(.success(.request(["mac": "m"])), .success(.token("a b", expires: nil)))
        try await RealtimeWorld.with(service: service) { world in
            for delay in [1.0, 2.0] {
                await world.expect(.connecting)
                let lost = try await world.lost()
                #expect(lost.0.kind == .unexpectedAnswer && lost.1 == delay)
                await world.feed.reconnect()
            }
            #expect(await world.rest.requests.isEmpty)
        }
    }
}
