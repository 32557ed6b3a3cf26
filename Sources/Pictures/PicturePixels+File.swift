package import Inbox

extension PicturePixels {
    /// The pixels of a file; nil: its data is damaged.
    package init?(_ file: PictureFile) {
        let reader = PictureBytes(file.bytes)
        guard let width = reader.big(4, at: 16), let height = reader.big(4, at: 20), let kind = reader.big(1, at: 25)
        else { return nil }
        let samples = kind == 6 ? 4 : 3
        var data: [UInt8] = []
        var position = 8
        while let length = reader.big(4, at: position), let content = reader.slice(length, at: position + 8) {
            if reader.has("IDAT", at: position + 4) { data += content }
            position += length + 12
        }
        let stride = width * samples
        guard let rows = Inflation.decompress(data, size: (stride + 1) * height) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 * width * height)
        var above = [UInt8](repeating: 0, count: stride)
        for row in 0..<height {
            let start = row * (stride + 1)
            guard let filter = Filter(rawValue: rows[start]) else { return nil }
            var line = Array(rows[start + 1..<start + 1 + stride])
            filter.undo(&line, above: above, samples: samples)
            for pixel in 0..<width {
                bytes += line[pixel * samples..<pixel * samples + 3]
                bytes.append(samples == 4 ? line[pixel * samples + 3] : 255)
            }
            above = line
        }
        self.init(width: width, height: height, bytes: bytes)
    }

    /// How a row is encoded (PNG, "Filter types for filter method 0").
    private enum Filter: UInt8 {
        case none, sub, up, average, paeth

        func undo(_ line: inout [UInt8], above: [UInt8], samples: Int) {
            guard self != .none else { return }
            for index in line.indices {
                let left = index < samples ? 0 : Int(line[index - samples])
                let up = Int(above[index])
                let corner = index < samples ? 0 : Int(above[index - samples])
                let predicted =
                    switch self {
                    case .none: 0
                    case .sub: left
                    case .up: up
                    case .average: (left + up) / 2
                    case .paeth: Self.paeth(left, up, corner)
                    }
                line[index] &+= UInt8(predicted)
            }
        }

        private static func paeth(_ left: Int, _ up: Int, _ corner: Int) -> Int {
            let estimate = left + up - corner
            let (a, b, c) = (abs(estimate - left), abs(estimate - up), abs(estimate - corner))
            return a <= b && a <= c ? left : b <= c ? up : corner
        }
    }
}
