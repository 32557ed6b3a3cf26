import FuzzTargets

/// Runs libFuzzer on one target: `FeedbellFuzz TARGET [options and folders of libFuzzer]`. Without arguments it lists the targets.
@main
enum FeedbellFuzz {
    static let target = CommandLine.arguments.dropFirst().first.flatMap(FuzzTarget.named)

    static func main() {
        guard target != nil else {
            for target in FuzzTarget.all { print(target.name) }
            return
        }
        // libFuzzer reads its arguments here, and would take the target's name for a folder.
        var arguments = CommandLine.unsafeArgv + 1
        var count = CommandLine.argc - 1
        _ = runLibFuzzer(&count, &arguments) { bytes, count in
            do {
                try FeedbellFuzz.target?.check(Array(UnsafeBufferPointer(start: bytes, count: count)))
            } catch {
                fatalError("\(error)")
            }
            return 0
        }
    }
}

/// libFuzzer's loop: calls `test` with one input after the other.
@_silgen_name("LLVMFuzzerRunDriver")
private func runLibFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
