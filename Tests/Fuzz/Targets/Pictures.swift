import Inbox
import Pictures

/// A file of a picture's host, and what a decoder made of it.
func checkPicture(_ input: [UInt8]) throws(Fault) {
    if let header = PictureHeader(input) {
        let sides = 0..<Int(UInt32.max)
        try demand(sides.contains(header.width) && sides.contains(header.height), "a picture of \(header)")
    }
    guard let file = PictureFile(input) else { return }
    try demand(file.bytes.count <= PictureFile.limit, "\(file.bytes.count) bytes are kept")
    try demand(PictureFile(file.bytes) == file, "what is kept is not accepted")
    let header = PictureHeader(file.bytes)
    if let pixels = PicturePixels(file) {
        try demand(pixels.bytes.count == 4 * pixels.width * pixels.height, "\(pixels.bytes.count) bytes")
    }
    try demand(header?.kind == .png && max(header?.width ?? 0, header?.height ?? 0) <= 256, "\(header as Any)")
}
