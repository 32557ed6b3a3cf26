import GTK

/// The pictures that rows have shown last, so that scrolling does not read their files again.
final class PictureTextures {
    /// In pixels: a row's picture on a display of twice the density.
    private static let side = 72
    /// The limit of kept pictures, each of 20 KiB.
    private static let limit = 64

    private var textures: [String: Texture] = [:]
    /// The first read first.
    private var order: [String] = []

    /// The picture in a file; nil: it cannot be read.
    func texture(_ file: String) -> Texture? {
        if let texture = textures[file] { return texture }
        guard let texture = Texture.read(file, side: Self.side) else { return nil }
        if order.count == Self.limit { textures[order.removeFirst()] = nil }
        textures[file] = texture
        order.append(file)
        return texture
    }
}
