/// The service's two URL families for preferences; both lead to the same data (suprsend.md §1.2).
public enum PreferenceRoutes: Sendable, Hashable {
    /// `/v2/subscriber/{distinct_id}/…/`, which the service's web client uses: the default.
    case subscriber
    /// `/v1/user/{distinct_id}/preference/…`, which the service's API description names.
    case user
}
