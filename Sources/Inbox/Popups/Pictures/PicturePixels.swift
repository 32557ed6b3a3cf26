/// A decoded picture.
package struct PicturePixels: Equatable, Sendable {
    package var width: Int
    package var height: Int
    /// Red, green, blue and opacity of each pixel, row by row from the top, without gaps.
    package var bytes: [UInt8]

    package init(width: Int, height: Int, bytes: [UInt8]) {
        self.width = width
        self.height = height
        self.bytes = bytes
    }
}
