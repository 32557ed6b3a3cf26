import Agent
import Inbox

/// A file of a picture's host, or of the cache.
func checkPicture(_ input: [UInt8]) throws(Fault) {
    if let header = PictureHeader(input) {
        let sides = 0...Int(UInt32.max)
        try demand(sides.contains(header.width) && sides.contains(header.height), "a picture of \(header)")
    }
    guard let file = PictureFile(input) else { return }
    try demand(file.bytes.count <= PictureFile.limit, "\(file.bytes.count) bytes are kept")
    try demand(PictureFile(file.bytes) == file, "what is kept is not accepted")
    let (header, side) = (PictureHeader(file.bytes), file.pixels.side)
    try demand(file.pixels.bytes.count == 4 * side * side, "\(file.pixels.bytes.count) bytes")
    try demand(header?.kind == .png && header?.width == side && header?.height == side, "\(header as Any)")
}
