import Basics
import ClientKit
public import FoundationEssentials
import Logging
import Synchronization

/// Whose device it is: at the service, a user and a kind of credentials.
struct DeviceOwner: Sendable, Hashable {
    let identifier: String
    let isExternal: Bool
    let hasToken: Bool

    init(_ identity: UserIdentity, hasToken: Bool) {
        identifier = identity.identifier
        isExternal = identity.externalID != nil
        self.hasToken = hasToken
    }
}

/// This device as a target of push notifications.
extension MagicBellClient {
    /// Registers this device for every connected user, in place of the previous one, and for users who connect later.
    ///
    /// The token is sent at once for connected users. For users who connect later it is sent while ``run()`` runs,
    /// which also retries what failed, except what the service refused. It is unregistered when a user is disconnected.
    ///
    /// - Throws: The first failure, after all users were tried.
    public func setDeviceToken(_ token: PushToken) async throws(MagicBellError) {
        let devices = try shared.withLock { (shared) throws(MagicBellError) in
            if shared.isShutDown { throw .shutDown }
            shared.deviceToken = token
            return shared.users.entries.map(\.user.device)
        }
        for device in devices { device.want(token) }
        let failures = await withTaskGroup(of: MagicBellError?.self) { group in
            for device in devices {
                group.addTask {
                    do throws(MagicBellError) { try await device.synchronize() } catch { return error }
                    return nil
                }
            }
            return await group.reduce(into: [MagicBellError]()) { if let error = $1 { $0.append(error) } }
        }
        for device in devices { device.wake() }
        startKeepingDevices()
        if let failure = failures.first { throw failure }
    }

    /// Registers this device with its token of the Apple Push Notification service, as ``setDeviceToken(_:)`` does.
    ///
    /// - Parameters:
    ///   - deviceToken: The bytes that the system gave to the app.
    ///   - environment: The environment of Apple's service that issued it.
    ///   - appID: The app's bundle id; nil: the project's.
    public func setDeviceToken(
        _ deviceToken: Data,
        environment: PushToken.APNSEnvironment = .production,
        appID: String? = nil
    ) async throws(MagicBellError) {
        let digits = deviceToken.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
        try await setDeviceToken(.apns(deviceToken: digits.joined(), environment: environment, appID: appID))
    }

    /// The device of a user, wanted from now on if there is a token. A user who was disconnected and connects again
    /// has the same one, so that the requests of both stay in order.
    func device(
        of owner: DeviceOwner,
        _ access: DeviceRegistration.Access,
        in shared: inout Shared
    ) -> DeviceRegistration {
        let device: DeviceRegistration
        if let old = shared.devices[owner], !old.isUnused {
            device = old
            device.use(access)
        } else {
            device = DeviceRegistration(access, environment: context.environment, logger: context.logger)
            shared.devices[owner] = device
        }
        device.want(shared.deviceToken)
        if shared.deviceToken != nil { shared.jobs?.send(.device(owner, device)) }
        return device
    }

    private func startKeepingDevices() {
        shared.withLock { shared in
            for (owner, device) in shared.devices { shared.jobs?.send(.device(owner, device)) }
        }
    }

    /// Removes a device that the service does not have, of a user who is not connected.
    func removeUnused(_ device: DeviceRegistration, of owner: DeviceOwner) {
        shared.withLock { shared in
            guard device.isUnused, shared.devices[owner] === device else { return }
            guard !shared.users.entries.contains(where: { $0.user.device === device }) else { return }
            shared.devices[owner] = nil
        }
    }

    func removeUnusedDevices() {
        for (owner, device) in shared.withLock(\.devices) { removeUnused(device, of: owner) }
    }
}
