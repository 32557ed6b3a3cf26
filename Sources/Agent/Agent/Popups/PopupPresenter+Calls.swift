import Basics
import DBus
import Inbox
import Logging

/// The calls of the notification server.
extension PopupPresenter {
    /// The timeout for another request for unknown capabilities, before each popup.
    private static let informationTimeout = Duration.seconds(2)
    /// The time that ``finish()`` waits for a slow server or a slow disk.
    private static let finishTimeout = Duration.seconds(1)

    func send(_ call: @escaping @Sendable () async -> Void) {
        callsUnderWay += 1
        calls.send(call)
    }

    /// Sends calls in order, and waits for none of them. Of those of `Notify`, the next one is made when the previous
    /// one is recorded: if the agent is killed, at most one popup is shown twice.
    func runCalls() async {
        await withDiscardingTaskGroup { group in
            for await call in calls.messages {
                group.addImmediateTask {
                    await call()
                    self.callsUnderWay -= 1
                    if self.isIdle { self.idleWaiters.wakeAll() }
                }
            }
        }
    }

    /// The connection of the present server; nil: this is an earlier one, whose popups the next server shows.
    private func owner(of server: String) -> BusName? {
        guard server == popups.server, let owner = server.split(separator: " ").last else { return nil }
        return try? BusName(String(owner))
    }

    func close(_ id: UInt32, at server: String) async {
        guard let owner = owner(of: server) else { return }
        await self.server.close(id, on: owner, quirks: popups.features.quirks)
    }

    func notify(_ request: Popups.Request, _ popup: Popup, replacing replaced: UInt32, at server: String) async {
        guard let owner = owner(of: server), !isFinishing else { return }
        if !popups.features.isKnown {
            let information = await self.server.information(of: owner, timeout: Self.informationTimeout)
            if information.isKnown, server == popups.server { serverChanged(to: (owner, information)) }
        }
        let notification = DesktopNotification(
            popup,
            icon: icon(of: popup),
            pixels: await pixels(of: popup),
            quirks: popups.features.quirks
        )
        guard popups.needs(request) else { return }
        receive(.sent(request))
        do {
            var replaced = replaced
            if replaced != 0, popups.closesReplaced(request) {
                await self.server.close(replaced, on: owner, quirks: popups.features.quirks)
                replaced = 0
            }
            let id = try await self.server.notify(notification, replacing: replaced, on: owner)
            // It may have reported before its reply that it does not show the popup.
            if popups.features.quirks.replacesByClosing { await waitForSignals() }
            logger.debug("popup shown", metadata: ["id": "\(id)"])
            receive(.shown(request, id: id, now: environment.now()))
            if id != replaced { recordNewPopup() }
        } catch {
            await handleFailure(of: request, by: server, owner, error)
        }
    }

    private func recordNewPopup() {
        hasNewPopup = true
        bus.loop.executeBeforeWaiting { [weak self] in self?.assumeIsolated { $0.hasNewPopup = false } }
    }

    private func handleFailure(
        of request: Popups.Request,
        by server: String,
        _ owner: BusName,
        _ error: DBusError
    ) async {
        // The agent, or its connection, has ended.
        if error.name == .cancelled || error.name == .disconnected { return }
        if error.isMissingServer { return receive(.serverLost(server)) }
        if error.isMissingReply {
            if await self.server.hasExited(owner) { return receive(.serverLost(server)) }
            logger.warning("the notification server did not report a popup", metadata: ["error": "\(error)"])
            return receive(.unanswered(request, now: environment.now()))
        }
        let now = environment.now()
        logger.warning("the notification server rejected a popup", metadata: ["error": "\(error)"])
        receive(error.isFullServer ? .refusedAsFull(request, now: now) : .failed(request, now: now))
    }

    /// The argument `app_icon` of a popup.
    private func icon(of popup: Popup) -> String {
        let quirks = popups.features.quirks
        if quirks.showsOnlyIcon, !popup.picture.isEmpty { return popup.picture }
        return icon.argument(needsPath: quirks.needsIconPath)
    }

    /// The pixels of the popup's picture if the server does not show the file as it is.
    private func pixels(of popup: Popup) async -> PicturePixels? {
        guard popups.features.quirks.needsPixels, !popup.picture.isEmpty else { return nil }
        return await pictures?.pixels(of: popup.picture)
    }

    /// Shows nothing more, and returns when the popup that is being shown is recorded and the user's actions so far are
    /// performed, after a second at the latest.
    ///
    /// Call it before the connection to the bus is closed: the next agent shows again what is not recorded. Of a popup
    /// that the server has not confirmed, it is recorded which server has it: the next agent shows it again only to
    /// another one.
    func finish() async {
        isFinishing = true
        await withTimeLimit(Self.finishTimeout, clock: environment.clock) {
            // Clicks of which the bus knows arrive before its reply.
            _ = try? await self.server.busID
            await self.waitForSignals()
            await self.waitUntilIdle()
        }
        memory.record(popups.keepUnconfirmed())
    }

    /// Returns when the signals that were received are handled: that is at the end of the loop's turn, which may last
    /// for several replies of the bus.
    private func waitForSignals() async {
        let end = Completion()
        bus.loop.executeBeforeWaiting { end.finish() }
        await end.wait()
    }

    private func waitUntilIdle() async {
        guard !isIdle else { return }
        logger.debug("waiting for the popup that is being shown or clicked")
        while !isIdle, !Task.isCancelled { await idleWaiters.add().wait() }
    }

    private var isIdle: Bool { callsUnderWay == 0 && responsesUnderWay == 0 }

    /// The requests to the agent of one event were performed.
    func responded() {
        responsesUnderWay -= 1
        if isIdle { idleWaiters.wakeAll() }
    }
}
