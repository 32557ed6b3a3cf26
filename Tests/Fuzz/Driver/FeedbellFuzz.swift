import FoundationEssentials
import FuzzTargets

/// Runs libFuzzer on one target: `FUZZ_TARGET=rows FeedbellFuzz [options and folders of libFuzzer]`.
///
/// The target is no argument because libFuzzer runs this program again, with arguments of its own, to merge.
@main
enum FeedbellFuzz {
    static let target = ProcessInfo.processInfo.environment["FUZZ_TARGET"].flatMap(FuzzTarget.named)

    static func main() {
        guard target != nil else {
            fatalError("Set FUZZ_TARGET to one of: \(FuzzTarget.all.map(\.name).joined(separator: ", ")).")
        }
        var arguments = CommandLine.unsafeArgv
        var count = CommandLine.argc
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
