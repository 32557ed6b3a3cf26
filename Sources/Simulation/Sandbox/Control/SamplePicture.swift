import FoundationEssentials

/// The pictures of the senders of ``SampleNotifications``, which the sandbox serves.
package enum SamplePicture: String, CaseIterable, Sendable {
    case bob, carla, yuki

    /// - Parameter path: Of a request; nil: there is no such picture.
    init?(path: String) {
        guard let picture = Self.allCases.first(where: { $0.path == path }) else { return nil }
        self = picture
    }

    package var path: String { "/pictures/\(rawValue).png" }

    /// A PNG file.
    var file: [UInt8] {
        let text =
            switch self {
            case .bob: Self.bobFile
            case .carla: Self.carlaFile
            case .yuki: Self.yukiFile
            }
        return Data(base64Encoded: text).map(Array.init) ?? []
    }
}
