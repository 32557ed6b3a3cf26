import ClientKit

extension AppInfo {
    /// The `User-Agent` (RFC 9110 §10.1.5) of the library for `app`. Hardware and system version are omitted for
    /// privacy.
    static func userAgent(of app: AppInfo?) -> String {
        let library = "feedbell-magicbell-swift/0.2.0 (swift; linux)"
        guard let app else { return library }
        return library + " (\(app.name)\(app.version.map { "/" + $0 } ?? ""))"
    }
}
