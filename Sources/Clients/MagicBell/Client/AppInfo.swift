/// The program that uses the library, as sent to the service.
public struct AppInfo: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// Its version; nil: not sent.
    public var version: String?

    /// A program's name and version.
    public init(name: String, version: String? = nil) {
        self.name = name
        self.version = version
    }

    /// Throws `invalidArgument` for text that a header cannot contain.
    func validate() throws(MagicBellError) {
        try ArgumentCheck.check(name, named: "app's name")
        guard (name + (version ?? "")).utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
            throw MagicBellError(
                .invalidArgument,
                "The app's name and version may contain printable ASCII characters only."
            )
        }
    }

    /// The `User-Agent` (RFC 9110 §10.1.5) of the library for `app`. Hardware and system version are omitted for
    /// privacy.
    static func userAgent(of app: AppInfo?) -> String {
        let library = "feedbell-magicbell-swift/0.1.0 (swift; linux)"
        guard let app else { return library }
        return library + " (\(app.name)\(app.version.map { "/" + $0 } ?? ""))"
    }
}
