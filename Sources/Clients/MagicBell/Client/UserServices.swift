/// How the parts of a user that reach the service are made.
package struct UserServices: Sendable {
    /// The API; the user API (v2) if the credentials are a user token.
    package var makeAPI: @Sendable (UserAuthorization, _ hasToken: Bool) -> any InboxAPI
    package var makeRealtime: @Sendable (any InboxAPI) -> any RealtimeSource

    package init(
        makeAPI: @escaping @Sendable (UserAuthorization, _ hasToken: Bool) -> any InboxAPI,
        makeRealtime: @escaping @Sendable (any InboxAPI) -> any RealtimeSource
    ) {
        self.makeAPI = makeAPI
        self.makeRealtime = makeRealtime
    }

    /// The service itself.
    static func network(_ context: RequestContext) -> UserServices {
        UserServices(
            makeAPI: { authorization, hasToken in
                hasToken
                    ? UserAPI(authorization, context: context) as any InboxAPI
                    : RESTAPI(authorization, context: context)
            },
            makeRealtime: { api in RealtimeFeed(api: api, context: context) }
        )
    }
}
