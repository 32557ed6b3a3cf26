// Compiled by CallerExecutorTests, with optimization, and run with the name of a function.
//
// A function that runs on its caller's executor and awaits another actor returns to the caller's executor. The
// optimizer removes the way back from its specialized copy, if nothing follows that needs an executor: the caller
// continues on the executor of the other actor.

struct Failure: Error {}

actor Disk {
    private var writes = 0

    func write() throws(Failure) {
        if writes > 9 { throw Failure() }
        writes += 1
    }
}

struct Storage<Element: Sendable>: Sendable {
    let disk: Disk

    /// Too large to be inlined, in a real program.
    @inline(never)
    nonisolated(nonsending) func save() async {
        do { try await disk.write() } catch { print("not written") }
    }

    @concurrent @inline(never)
    func saveConcurrently() async {
        do { try await disk.write() } catch { print("not written") }
    }
}

actor Account {
    private let storage: Storage<Int>

    init(_ disk: Disk) { storage = Storage(disk: disk) }

    func inherit() async {
        await storage.save()
        preconditionIsolated()
    }

    func concurrent() async {
        await storage.saveConcurrently()
        preconditionIsolated()
    }
}

@main struct LostHop {
    static func main() async {
        let account = Account(Disk())
        switch CommandLine.arguments.last {
        case "inherit": await account.inherit()
        case "concurrent": await account.concurrent()
        default: fatalError("usage: lost-hop inherit|concurrent")
        }
        print("returned to the caller's executor")
    }
}
