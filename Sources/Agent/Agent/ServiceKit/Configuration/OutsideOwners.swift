import Glibc
import ProgramKit

/// Identifies a file, whatever its path.
package struct FileIdentity: Hashable, Sendable {
    var device: UInt
    var number: UInt

    init(device: UInt, number: UInt) {
        self.device = device
        self.number = number
    }

    /// nil: there is no such file, or it cannot be reached.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init(_ status: stat) { self.init(device: UInt(status.st_dev), number: UInt(status.st_ino)) }
}

/// Asks who owns files, outside of the user namespace of the agent's unit. In that, root has no id, and the files of
/// all other users belong to the same one: a configuration of root's looks like one of another user.
struct OutsideOwners: Sendable {
    /// The owners of the files at these paths; nil: there is no such namespace, or they cannot be asked for.
    let owners: @Sendable (_ paths: [String], _ clock: any Clock<Duration>) async -> [FileIdentity: UInt32]?

    init(_ owners: @escaping @Sendable ([String], any Clock<Duration>) async -> [FileIdentity: UInt32]?) {
        self.owners = owners
    }

    /// By a transient unit of the user's service manager, if this process is the agent's unit.
    static let ofThisProcess = OutsideOwners { paths, clock in
        var root = stat()
        guard stat("/", &root) == 0, root.st_uid != 0, CommandLocation.current == .unit else { return nil }
        let outcome = await withTaskGroup(of: ChildProgram.Outcome?.self) { group in
            group.addTask { try? await ChildProgram(words(paths), keepsOutput: true).run() }
            group.addTask {
                try? await clock.sleep(for: GuardedFile.timeout)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        guard let outcome, outcome.status == .exited(0) else { return nil }
        return parse(String(decoding: outcome.output, as: UTF8.self))
    }

    /// The command line that prints the owners of files.
    static func words(_ paths: [String]) -> [String] {
        [
            "systemd-run", "--user", "--pipe", "--wait", "--quiet", "--collect",
            "--description=Feedbell looks up who owns its configuration",
            "--property=RuntimeMaxSec=\(GuardedFile.timeout.components.seconds)", "--",
        ] + CommandLocation.escaped(["stat", "--dereference", "--format=%u %d %i", "--"] + paths)
    }

    /// The owners in the output of that command: a line for each file with owner, device and number.
    static func parse(_ output: String) -> [FileIdentity: UInt32]? {
        var owners: [FileIdentity: UInt32] = [:]
        for line in output.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 3, let owner = UInt32(words[0]), let device = UInt(words[1]),
                let number = UInt(words[2])
            else { return nil }
            owners[FileIdentity(device: device, number: number)] = owner
        }
        return owners
    }
}
