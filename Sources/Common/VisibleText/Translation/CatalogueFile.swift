import CLinux
import Glibc

/// Whether a catalogue can be used. The C library maps its file and trusts the offsets in it: one that was written in
/// part would end the program.
///
/// The format is in the manual of GNU gettext, "The Format of GNU MO Files": a header, then tables with the length and
/// the offset of each text.
enum CatalogueFile: Equatable {
    case missing, complete, damaged

    private static let (headerLength, sizeLimit, magic) = (28, 4 << 20, UInt32(0x9504_12DE))

    init(path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            self = .missing
            return
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, (Self.headerLength...Self.sizeLimit).contains(Int(status.st_size)) else {
            self = .damaged
            return
        }
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
            count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
        }
        self = Self.isComplete(bytes) ? .complete : .damaged
    }

    /// Whether all texts and the hash table are within the file, and each text ends with a zero byte.
    static func isComplete(_ bytes: [UInt8]) -> Bool {
        func number(_ offset: Int) -> Int {
            (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
        }
        func isWithin(_ offset: Int, _ length: Int) -> Bool { offset <= bytes.count && length <= bytes.count - offset }
        // Major revision 0, and bytes in the order of this computer. Without tables of messages that depend on it.
        guard bytes.count >= headerLength, number(0) == Int(magic), number(4) == 0 else { return false }
        let count = number(8)
        let tables = [number(12), number(16)]
        guard tables.allSatisfy({ isWithin($0, 8 * count) }), isWithin(number(24), 4 * number(20)) else { return false }
        return tables.allSatisfy { table in
            (0..<count).allSatisfy { index in
                let (length, offset) = (number(table + 8 * index), number(table + 8 * index + 4))
                return isWithin(offset, length + 1) && bytes[offset + length] == 0
            }
        }
    }
}
