/// Loads the pictures of popups.
package protocol PictureSource: Sendable {
    /// Requests a picture. Its end is reported by ``run(_:)``.
    func request(_ url: PictureURL)

    /// Loads the requested pictures until the task is cancelled.
    ///
    /// - Parameter loaded: Called once for each requested URL, also if several requests were made meanwhile: with the
    ///   absolute path of a square PNG file of at most 256 × 256 pixels, or nil if there is no picture.
    func run(_ loaded: @escaping @Sendable (PictureURL, _ file: String?) async -> Void) async

    /// The pixels of a loaded picture, for servers that do not read files; nil: the file is gone.
    func pixels(of file: String) async -> PicturePixels?
}
