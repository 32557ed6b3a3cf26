/// The service's two URL families for preferences, with the same data.
public enum PreferenceRoutes: Sendable, Hashable {
    /// `/v2/subscriber/{distinct_id}/…/`, as in the service's web client: the default.
    case subscriber
    /// `/v1/user/{distinct_id}/preference/…`, as in the service's API reference.
    case user
}
