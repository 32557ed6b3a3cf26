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

    /// The picture in the middle of a transparent square; nil: it is a square.
    package var squared: PicturePixels? {
        guard width != height else { return nil }
        let size = max(width, height)
        let (left, top) = ((size - width) / 2, (size - height) / 2)
        var square = [UInt8](repeating: 0, count: 4 * size * size)
        for y in 0..<height {
            let start = 4 * ((top + y) * size + left)
            square.replaceSubrange(start..<(start + 4 * width), with: bytes[(4 * y * width)..<(4 * (y + 1) * width)])
        }
        return PicturePixels(width: size, height: size, bytes: square)
    }
}
