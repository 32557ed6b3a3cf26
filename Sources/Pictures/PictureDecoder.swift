import Basics
import ChildProgram
import Glibc

/// Decodes a picture in a process of its own, and scales it down.
///
/// The program is the thumbnailer of gdk-pixbuf, which most desktops have. It reads from a pipe and writes to a pipe,
/// with limits of time and memory, without files that it may write, and without the session's environment. Where the
/// system allows it, it runs in namespaces of its own, without network and without the user's files.
package struct PictureDecoder: Sendable {
    /// The program that decodes.
    package static let program = "gdk-pixbuf-thumbnailer"

    /// The maximum time for one picture.
    static let timeout = Duration.seconds(5)

    /// The isolation of the program: what precedes its name, the strongest first.
    private static let isolations = [
        [
            "bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--ro-bind", "/usr",
            "/usr", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--symlink", "usr/bin", "/bin",
            "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache", "--proc", "/proc", "--dev", "/dev", "--chdir", "/",
        ],
        ["setpriv", "--no-new-privs"],
        [],
    ]

    /// Sets the limits, and replaces the environment: no core file, no written file, four seconds of computing time,
    /// 512 MiB of address space.
    private static let script = """
        ulimit -c 0; ulimit -f 0; ulimit -n 64; ulimit -t 4; ulimit -v 524288
        exec env -i PATH="$PATH" GIO_USE_VFS=local LC_ALL=C ${GDK_PIXBUF_MODULE_FILE:+"GDK_PIXBUF_MODULE_FILE\
        =$GDK_PIXBUF_MODULE_FILE"} "$@"
        """

    /// What precedes the program.
    let isolation: [String]
    private let clock: any Clock<Duration>

    /// Whether the program is installed.
    package static var isInstalled: Bool { ChildProgram.isInstalled(program) }

    /// The decoder with the strongest isolation that works here; nil: there is none.
    @concurrent
    package static func find(clock: any Clock<Duration>) async -> PictureDecoder? {
        guard isInstalled else { return nil }
        for isolation in isolations where isolation.first.map(ChildProgram.isInstalled) ?? true {
            let decoder = PictureDecoder(isolation: isolation, clock: clock)
            if await (try? decoder.decode(sample, host: "")) != nil { return decoder }
        }
        return nil
    }

    init(isolation: [String], clock: any Clock<Duration>) {
        self.isolation = isolation
        self.clock = clock
    }

    /// Whether the program runs in namespaces of its own.
    package var isInNamespaces: Bool { isolation.first == "bwrap" }

    /// The picture in these bytes, of at most ``PictureFile/side`` pixels.
    ///
    /// - Parameter host: For messages.
    @concurrent
    func decode(_ bytes: [UInt8], host: String) async throws(PictureFailure) -> PictureFile {
        guard let header = PictureHeader(bytes) else {
            throw PictureFailure(.picture, "\(host) sent something that is not a picture in PNG, JPEG, GIF or WebP.")
        }
        guard header.isAcceptable else {
            let size = "\(header.width) × \(header.height)"
            let limit = PictureHeader.limit
            throw PictureFailure(.picture, "The picture of \(host) has \(size) pixels; at most \(limit) are allowed.")
        }
        guard PictureHeader.isComplete(bytes) else {
            throw PictureFailure(.picture, "The picture of \(host) is truncated.")
        }
        // The program would enlarge a smaller picture.
        let side = min(PictureFile.side, max(header.width, header.height))
        let program = ChildProgram(
            ["/bin/sh", "-c", Self.script, "sh"] + isolation
                + [Self.program, "-s", "\(side)", "/dev/stdin", "/dev/stdout"],
            input: bytes,
            keepsOutput: true,
            limit: PictureFile.limit * 2
        )
        guard let outcome = await run(program) else {
            throw PictureFailure(.picture, "The picture of \(host) could not be decoded in time, or was cancelled.")
        }
        guard outcome.status == .exited(0), let file = PictureFile(outcome.output) else {
            throw PictureFailure(.picture, "The picture of \(host) cannot be decoded.")
        }
        return file
    }

    /// Runs the program at most for ``timeout``; nil: it was ended, or could not be started.
    private func run(_ program: ChildProgram) async -> ChildProgram.Outcome? {
        await withTaskGroup(of: ChildProgram.Outcome?.self) { group in
            group.addTask { try? await program.run() }
            group.addTask { [clock] in
                try? await clock.sleep(for: Self.timeout)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    /// One pixel, to see whether the program works.
    private static let sample: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00,
        0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00, 0x90, 0x77, 0x53, 0xDE, 0x00, 0x00, 0x00,
        0x0C, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0x30, 0x4E, 0x9B, 0x09, 0x00, 0x02, 0x02, 0x01, 0x33, 0x56,
        0x87, 0xE2, 0x54, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
    ]
}
