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
}
