/// Why there is no picture, in a sentence for the log that names the host and never the rest of the URL.
package struct PictureFailure: Error, Equatable, Sendable {
    /// The URLs that are not requested again for a while.
    enum Scope: Equatable, Sendable {
        /// This URL.
        case picture
        /// Every URL of the host.
        case host
        /// Every URL: there is no decoder.
        case everything
    }

    var scope: Scope
    package var sentence: String

    init(_ scope: Scope, _ sentence: String) {
        self.scope = scope
        self.sentence = sentence
    }
}
