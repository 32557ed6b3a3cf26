import Basics
import DBus

/// Opens URLs with the desktop portal.
struct PortalOpener: Sendable {
    /// The timeout for the portal's first sign of life.
    private static let deadline = Duration.seconds(10)

    let bus: Bus

    /// Opens a URL. Returns when the portal has answered; it may ask the user before, for as long as the user takes. A
    /// cancelled request is withdrawn.
    ///
    /// - Parameters:
    ///   - token: The activation token of the click.
    ///   - asked: Called when the portal has accepted the request.
    func open(_ url: String, token: String?, asked: @Sendable () -> Void) async -> PortalRequest.End {
        do throws(DBusError) {
            guard let portal = try await presentPortal() else { return .failed }
            return try await open(url, token: token, with: portal, asked)
        } catch {
            // Nothing was requested.
            return .failed
        }
    }

    /// The connection of a portal that answers; nil: there is none. A portal that was started or is busy may open a URL
    /// long after the call, and another program would then have opened it, too: so it is asked for nothing before.
    private func presentPortal() async throws(DBusError) -> BusName? {
        do throws(DBusError) {
            _ = try await Proxy(bus, OpenURIPortal.busName, OpenURIPortal.path)
                .get(OpenURIPortal.version, timeout: Self.deadline)
        } catch {
            if error.name == .timeout || error.name == .cancelled { throw error }
        }
        return try await bus.nameOwner(of: OpenURIPortal.busName)
    }

    /// - Throws: Before the request is sent.
    private func open(
        _ url: String,
        token: String?,
        with portal: BusName,
        _ asked: @Sendable () -> Void
    ) async throws(DBusError) -> PortalRequest.End {
        let handleToken = "feedbell_" + String(UInt64.random(in: 0 ... .max), radix: 16)
        let sender = await bus.uniqueName.text.dropFirst().replacing(".", with: "_")
        let expected = try ObjectPath("\(PortalRequestInterface.parentPath)/\(sender)/\(handleToken)")
        // Before the call: the answer may come before its reply.
        let rule = MatchRule(
            sender: portal,
            pathNamespace: PortalRequestInterface.parentPath,
            interface: PortalRequestInterface.name,
            member: PortalRequestInterface.response.name
        )
        let responses = try await bus.signals(matching: rule)
        let owners = try await bus.nameOwnerChanges(of: portal)
        var options: [String: Value] = ["handle_token": .string(handleToken)]
        if let token { options["activation_token"] = .string(token) }
        let end = await withTaskGroup(of: Void.self) { [bus, options] group in
            let events = Mailbox<PortalRequest.Event>()
            group.addTask {
                do throws(DBusError) {
                    let call = Proxy(bus, portal, OpenURIPortal.path)
                    let handle = try await call.call(OpenURIPortal.openURI, "", url, options, timeout: nil)
                    events.send(.accepted(handle))
                } catch {
                    events.send(.refused(error))
                }
            }
            group.addTask {
                for await message in responses {
                    guard let (response, _) = try? PortalRequestInterface.response.decode(message) else { continue }
                    events.send(.response(response, message.path))
                }
            }
            group.addTask {
                for await change in owners where change.new == nil { break }
                events.send(.portalEnded)
            }
            defer { group.cancelAll() }
            var request = PortalRequest(expected: expected)
            for await event in events.messages {
                if case .accepted = event { asked() }
                if let end = request.receive(event) { return end }
            }
            return .unanswered
        }
        if Task.isCancelled { await withdraw(expected, from: portal) }
        return end
    }

    /// Does not wait for the reply, so that a cancelled task can call it.
    private func withdraw(_ request: ObjectPath, from portal: BusName) async {
        var message = Message.methodCall(
            portal,
            request,
            PortalRequestInterface.name,
            PortalRequestInterface.close.name,
            autoStart: false
        )
        message.noReplyExpected = true
        _ = try? await bus.send(message)
    }
}
