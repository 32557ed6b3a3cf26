import Glibc

/// Writes arguments in the wire format (D-Bus Specification, "Marshaling").
///
/// For the budget of the CPU for one notification: libdbus's own functions take ten times as long, 25 µs for each of
/// its signals, because they validate and parse each variant's signature several times. Every value that the bus would
/// not accept is rejected here, because the bus closes the connection that sends one.
public struct BodyEncoder: ~Copyable {
    /// One mebibyte of the 128 that a message may have is reserved for the header.
    static let maximumBody = 127 << 20
    static let maximumArray = 64 << 20
    /// The number of descriptors in one message that buses and libdbus accept.
    static let maximumDescriptors = 16

    private var start: UnsafeMutableRawPointer
    private var capacity: Int
    private(set) var count = 0
    private(set) var descriptors: [UnixDescriptor] = []
    private var arrays = 0
    private var structures = 0
    private var depth = 0

    init(capacity: Int = 1024) {
        start = .allocate(byteCount: capacity, alignment: 8)
        self.capacity = capacity
    }

    deinit { start.deallocate() }

    /// Everything that was written.
    var bytes: [UInt8] {
        Array(unsafeUninitializedCapacity: count) { target, initialized in
            UnsafeMutableRawBufferPointer(target).copyMemory(from: UnsafeRawBufferPointer(start: start, count: count))
            initialized = count
        }
    }

    // MARK: Basic types

    /// Writes an integer at the next multiple of its size.
    mutating func integer<Integer: FixedWidthInteger & BitwiseCopyable>(_ value: Integer) throws(DBusError) {
        let size = MemoryLayout<Integer>.size
        try place(size, alignment: size).storeBytes(of: value.littleEndian, as: Integer.self)
    }

    /// Writes text as a string or an object path. U+0000 is not allowed there; it is replaced by U+FFFD.
    mutating func string(_ text: String) throws(DBusError) {
        var text = text
        let length = text.withUTF8 { $0.count }
        guard length <= Self.maximumBody else { throw Self.messageTooLarge }
        let target = try place(length + 5, alignment: 4)
        target.storeBytes(of: UInt32(length).littleEndian, as: UInt32.self)
        let hasNUL = text.withUTF8 { source in
            guard let base = source.baseAddress, length > 0 else { return false }
            (target + 4).copyMemory(from: base, byteCount: length)
            return memchr(base, 0, length) != nil
        }
        (target + 4 + length).storeBytes(of: 0, as: UInt8.self)
        guard hasNUL else { return }
        count -= length + 5
        try string(String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 })))
    }

    /// Writes a signature.
    mutating func signature(_ text: String) throws(DBusError) {
        var text = text
        let length = text.withUTF8 { $0.count }
        guard length <= 255 else { throw DBusError(.limitsExceeded, "The signature is longer than 255 bytes.") }
        let target = try place(length + 2, alignment: 1)
        target.storeBytes(of: UInt8(length), as: UInt8.self)
        text.withUTF8 { source in
            if let base = source.baseAddress { (target + 1).copyMemory(from: base, byteCount: length) }
        }
        (target + 1 + length).storeBytes(of: 0, as: UInt8.self)
    }

    /// Writes a file descriptor: its position in the list that is sent with the message.
    mutating func descriptor(_ descriptor: UnixDescriptor) throws(DBusError) {
        guard descriptors.count < Self.maximumDescriptors else {
            throw DBusError(.limitsExceeded, "The message has more than \(Self.maximumDescriptors) file descriptors.")
        }
        try integer(UInt32(descriptors.count))
        descriptors.append(descriptor)
    }

    /// Writes bytes as they are, at the next multiple of `alignment`.
    mutating func raw(_ bytes: [UInt8], alignment: Int) throws(DBusError) {
        let target = try place(bytes.count, alignment: alignment)
        bytes.withUnsafeBytes { source in
            if let base = source.baseAddress { target.copyMemory(from: base, byteCount: source.count) }
        }
    }

    // MARK: Containers

    /// An array whose length is not known yet.
    struct OpenArray {
        fileprivate let lengthOffset: Int
        fileprivate let firstElement: Int
    }

    /// Begins an array.
    /// - Parameter alignment: Of the elements.
    mutating func beginArray(alignment: Int) throws(DBusError) -> OpenArray {
        arrays += 1
        try enter()
        try integer(UInt32(0))
        let lengthOffset = count - 4
        _ = try place(0, alignment: alignment)
        return OpenArray(lengthOffset: lengthOffset, firstElement: count)
    }

    /// Ends an array after its last element.
    mutating func endArray(_ array: OpenArray) throws(DBusError) {
        let length = count - array.firstElement
        guard length <= Self.maximumArray else {
            throw DBusError(.limitsExceeded, "An array is larger than 64 MiB.")
        }
        (start + array.lengthOffset).storeBytes(of: UInt32(length).littleEndian, as: UInt32.self)
        arrays -= 1
        depth -= 1
    }

    /// Begins a structure or an entry of a dictionary.
    mutating func beginStructure() throws(DBusError) {
        structures += 1
        try enter()
        _ = try place(0, alignment: 8)
    }

    /// Ends a structure or an entry of a dictionary.
    mutating func endStructure() {
        structures -= 1
        depth -= 1
    }

    /// Begins a variant after its signature.
    mutating func beginVariant() throws(DBusError) { try enter() }

    /// Ends a variant.
    mutating func endVariant() { depth -= 1 }

    private mutating func enter() throws(DBusError) {
        depth += 1
        guard arrays <= 32, structures <= 32, depth <= 64 else {
            throw DBusError(.limitsExceeded, "The value is nested too deeply.")
        }
    }

    // MARK: Memory

    /// Makes room for `size` bytes at the next multiple of `alignment`. The padding is zero, as the format requires.
    private mutating func place(_ size: Int, alignment: Int) throws(DBusError) -> UnsafeMutableRawPointer {
        let offset = (count + alignment - 1) & ~(alignment - 1)
        let end = offset + size
        if end > capacity { try grow(to: end) }
        while count < offset {
            (start + count).storeBytes(of: 0, as: UInt8.self)
            count += 1
        }
        count = end
        return start + offset
    }

    private mutating func grow(to needed: Int) throws(DBusError) {
        guard needed <= Self.maximumBody else { throw Self.messageTooLarge }
        capacity = min(max(2 * capacity, needed), Self.maximumBody)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
        larger.copyMemory(from: start, byteCount: count)
        start.deallocate()
        start = larger
    }

    static var messageTooLarge: DBusError { DBusError(.limitsExceeded, "The message is larger than 127 MiB.") }
}
