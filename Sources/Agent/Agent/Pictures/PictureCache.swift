import CSHA256
import Glibc
import Inbox

/// Decoded pictures on disk, with a maximum number and size: the least recently used ones are removed.
///
/// A file is used only if it is the user's own and is what the decoder made. Its name is a digest of the URL. The time
/// of its last change is when it was loaded; the time of the last access is when it was last used. The methods block.
package struct PictureCache: Sendable {
    /// A picture in the cache.
    struct Entry: Equatable, Sendable {
        /// The absolute path of the file.
        var path: String
        /// Whether the picture was loaded a short time ago.
        var isFresh: Bool
    }

    /// In seconds: then a picture is loaded again, because the one at its URL may have changed.
    static let freshness = 86_400
    /// In seconds: by so much the time of a file may be later than now. time(2) is up to a tick behind the clock of
    /// file systems, which matters at the end of a second, and a clock may be set back a little.
    private static let clockTolerance = 60

    let directory: String
    /// The maximum number of files.
    var countLimit = 500
    /// The maximum size of all files, in bytes.
    var sizeLimit = 32 << 20

    /// - Parameter directory: An absolute path. It is created when it is needed.
    package init(directory: String) { self.directory = directory }

    /// The default directory, `$XDG_CACHE_HOME/feedbell/pictures`; nil: the environment names none.
    package static func defaultDirectory(environment: [String: String]) -> String? {
        let base = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.cache" : nil }
        return (base ?? home).map { $0 + "/feedbell/pictures" }
    }

    /// The picture of this URL; nil: there is none that may be used.
    func find(_ url: PictureURL, now: time_t = time(nil)) -> Entry? {
        guard let name = Self.name(of: url), isUsable else { return nil }
        let path = "\(directory)/\(name)"
        guard let file = OwnFile(path, limit: PictureFile.limit) else { return nil }
        guard let bytes = file.content, PictureFile(bytes) != nil else {
            unlink(path)
            return nil
        }
        file.recordUse()
        return Entry(path: path, isFresh: (-Self.clockTolerance..<Self.freshness).contains(now - file.changed))
    }

    /// Stores a picture, and removes the least recently used ones beyond the limits.
    ///
    /// - Returns: Its absolute path; nil: it cannot be stored.
    func store(_ picture: PictureFile, of url: PictureURL) -> String? {
        guard let name = Self.name(of: url), makeDirectory() else { return nil }
        let path = "\(directory)/\(name)"
        let temporary = "\(directory)/.\(name).\(getpid())"
        unlink(temporary)
        guard OwnFile.write(picture.bytes, to: temporary), rename(temporary, path) == 0 else {
            unlink(temporary)
            return nil
        }
        removeExcess(keeping: name)
        return path
    }

    /// The name of the file for a URL: the digest of its text.
    private static func name(of url: PictureURL) -> String? {
        let (key, text) = (Array("picture".utf8), Array(url.text.utf8))
        var digest = [UInt8](repeating: 0, count: Int(CSHA256_LENGTH))
        guard csha256_hmac(key, key.count, text, text.count, &digest) else { return nil }
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + ".png"
    }

    /// Removes all pictures.
    package func removeAll() {
        guard isUsable else { return }
        for member in members { unlink("\(directory)/\(member.name)") }
    }

    // MARK: The directory

    /// Whether the directory is the user's own, and no other user can write to it.
    private var isUsable: Bool {
        var status = stat()
        return lstat(directory, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
            && status.st_mode & 0o022 == 0
    }

    private func makeDirectory() -> Bool {
        var path = ""
        for part in directory.split(separator: "/") {
            path += "/" + part
            mkdir(path, 0o700)
        }
        return isUsable
    }

    private struct Member {
        var name: String
        var size: Int
        var used: time_t
    }

    private func removeExcess(keeping kept: String) {
        var members = members.sorted { ($0.used, $0.name) > ($1.used, $1.name) }
        if let index = members.firstIndex(where: { $0.name == kept }) {
            members.insert(members.remove(at: index), at: 0)
        }
        var size = 0
        for (index, member) in members.enumerated() {
            size += member.size
            if index >= countLimit || size > sizeLimit { unlink("\(directory)/\(member.name)") }
        }
    }

    /// The files in the directory, also those that a killed process left.
    private var members: [Member] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var members: [Member] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            var status = stat()
            guard lstat("\(directory)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            members.append(Member(name: name, size: Int(status.st_size), used: status.st_atim.tv_sec))
        }
        return members
    }
}
