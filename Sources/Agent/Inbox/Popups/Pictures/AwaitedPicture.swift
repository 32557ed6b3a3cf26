import Basics

/// How far the picture of a `Notify` call is.
enum AwaitedPicture: Equatable {
    /// There is none, or it is in the popup.
    case none
    /// The call is not made yet, since this time.
    case awaited(PictureURL, since: Timestamp)
    /// The call was made without the picture, which is still being loaded.
    case missing(PictureURL)
    /// The call was made without the picture, which is in this file.
    case late(file: String)

    /// The picture that is being loaded.
    var url: PictureURL? {
        switch self {
        case .awaited(let url, _), .missing(let url): url
        case .none, .late: nil
        }
    }

    /// Since when the call waits; nil: it was made.
    var heldSince: Timestamp? { if case .awaited(_, let since) = self { since } else { nil } }
}

/// A popup that is shown without its picture, which is still being loaded.
package struct MissingPicture: Equatable, Sendable {
    var url: PictureURL
    /// The popup as it is shown.
    var popup: Popup
}
