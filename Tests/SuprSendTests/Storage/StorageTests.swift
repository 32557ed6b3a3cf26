import ClientKit
import Foundation
import TestSupport
import Testing

@testable import SuprSend

@Suite struct StorageTests {
    /// A directory that is gone afterwards.
    private func withDirectory(_ body: (URL) async throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "suprsend-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        try await body(directory)
    }

    @Test("Values of any key survive the storage object") func persistence() async throws {
        try await withDirectory { directory in
            let nested = directory.appending(path: "a/b")
            let storage = FileStorage(directory: nested)
            #expect(try await storage.value(forKey: "k") == nil)
            try await storage.setValue(nil, forKey: "k")
            try await storage.setValue("ä\n", forKey: "k")
            try await storage.setValue("other", forKey: "../k/../..")
            #expect(try await FileStorage(directory: nested).value(forKey: "k") == "ä\n")
            #expect(try await FileStorage(directory: nested).value(forKey: "../k/../..") == "other")
            #expect(try FileManager.default.contentsOfDirectory(atPath: nested.path).count == 2)
            try await storage.setValue(nil, forKey: "k")
            #expect(try await storage.value(forKey: "k") == nil)
        }
    }

    @Test("Other users cannot read the files") func permissions() async throws {
        try await withDirectory { directory in
            try await FileStorage(directory: directory).setValue("v", forKey: "k")
            func mode(_ path: String) throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            }
            #expect(try mode(directory.path) == 0o700)
            #expect(try mode(directory.appending(path: "suprsend-k").path) == 0o600)
        }
    }

    @Test("A failure is returned") func failure() async throws {
        try await withDirectory { directory in
            try Data().write(to: directory)
            await #expect(throws: (any Error).self) {
                try await FileStorage(directory: directory).setValue("v", forKey: "k")
            }
        }
    }

    /// A storage that cannot be used costs only what it was for.
    @Test("A storage that fails does not make the client fail") func failingStorage() async throws {
        let hub = FakeHub()
        let client = SuprSendClient(try .test(http: hub, environment: environment()), storage: BrokenStorage())
        try await client.identify("user-1")
        try await client.push.notificationClicked("n")
        #expect(await client.isIdentified())
    }
}
