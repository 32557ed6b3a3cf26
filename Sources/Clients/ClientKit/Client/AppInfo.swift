/// The program that uses the library, as sent to the service.
public struct AppInfo: Sendable, Hashable {
    /// The name of the app.
    public var name: String
    /// The version; nil: not sent.
    public var version: String?

    /// A program's name and version.
    public init(name: String, version: String? = nil) {
        self.name = name
        self.version = version
    }
}
