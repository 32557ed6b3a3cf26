/// The notification preferences of whoever is identified.
public actor Preferences {
    private let workspace: Workspace
    private let identity: ActiveIdentity
    private let routes: PreferenceRoutes

    init(workspace: Workspace, identity: ActiveIdentity, routes: PreferenceRoutes) {
        self.workspace = workspace
        self.identity = identity
        self.routes = routes
    }

    func run() async {}

    /// Sends what waits.
    public func flush() async throws(SuprSendError) {}

    func reset() async {}
}
