import Testing

@testable import SuprSend

/// Stores that are loaded for the first time while notifications arrive.
@Suite struct MissedInStoresTests {
    @Test("A notification missed by a loaded store is announced, though another store loads first")
    func newsInAnotherStore() throws {
        let stores = [NotificationStore(id: "All"), NotificationStore(id: "Ops", query: .init(tags: ["ops"]))]
        var driver = StateDriver(stores)
        let old = row("old", age: 10, tags: ["ops"])
        let new = row("new", age: 1, tags: ["ops"])
        driver.load([old])
        // Published while the connection is lost.
        var scan = try #require(driver.state.scans().first)
        #expect(scan.store.id == "Ops")
        #expect(driver.state.proceed(&scan, .init(rows: [new, old]), now: base).announced.isEmpty)
        driver.state.joined(recovered: false, now: base)
        _ = driver.takeEffects()
        driver.load([new, old])
        #expect(driver.takeEffects().announced == ["new"])
    }
}
