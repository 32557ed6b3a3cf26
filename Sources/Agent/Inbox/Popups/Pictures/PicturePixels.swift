/// A decoded picture: a square.
package struct PicturePixels: Equatable, Sendable {
    /// Width and height, in pixels.
    package var side: Int
    /// Red, green, blue and opacity of each pixel, row by row from the top, without gaps.
    package var bytes: [UInt8]

    package init(side: Int, bytes: [UInt8]) {
        self.side = side
        self.bytes = bytes
    }
}
