import ClientKit

/// The library's description for the service, in the two header forms of the service's own SDKs. The service is not
/// known to read either.
///
/// Hardware model and kernel version, which those SDKs add, are omitted for privacy.
struct ClientDescription: Sendable, Equatable {
    var app: AppInfo?
    var deviceModel: String?
    var environment: String? = "desktop"
    var language: String? = "swift"
    var languageVersion: String?
    var os: String? = "linux"
    var osVersion: String?
    var platform: String? = "linux"
    var sdk = "feedbell-suprsend-swift"
    var sdkVersion = "0.2.0"

    /// A JSON object with sorted keys, without empty members.
    var json: String {
        let texts = [
            "device_model": deviceModel, "environment": environment, "lang": language, "lang_version": languageVersion,
            "os": os, "os_version": osVersion, "platform": platform, "sdk": sdk, "sdk_version": sdkVersion,
        ]
        var members = texts.compactMapValues { $0.map(JSONValue.string) }
        if let app {
            let info = ["name": app.name, "version": app.version]
            members["app_info"] = .object(info.compactMapValues { $0.map(JSONValue.string) })
        }
        return JSONValue.object(members).text
    }

    /// `sdk/version (lang/version; os) (app/version)`, without empty parts.
    var line: String {
        func pair(_ name: String?, _ version: String?) -> String? {
            name.map { name in version.map { "\(name)/\($0)" } ?? name }
        }
        let system = [pair(language, languageVersion), os].compactMap(\.self).joined(separator: "; ")
        return [
            pair(sdk, sdkVersion), system.isEmpty ? nil : "(\(system))",
            pair(app?.name, app?.version).map { "(\($0))" },
        ]
        .compactMap(\.self).joined(separator: " ")
    }
}
