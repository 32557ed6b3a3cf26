package import DBus
package import Testing

extension Proxy {
    /// Waits until a property has a value.
    package func wait<I: Interface, Content: Equatable>(
        _ property: InterfaceProperty<I, Content>,
        is expected: Content,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await wait(property, "\(expected)", sourceLocation) { $0 == expected }
    }

    /// Waits until a property has a fitting value.
    package func wait<I: Interface, Content>(
        _ property: InterfaceProperty<I, Content>,
        sourceLocation: SourceLocation = #_sourceLocation,
        until fits: (Content) -> Bool
    ) async throws {
        try await wait(property, "another value", sourceLocation, fits)
    }

    private func wait<I: Interface, Content>(
        _ property: InterfaceProperty<I, Content>,
        _ expected: String,
        _ sourceLocation: SourceLocation,
        _ fits: (Content) -> Bool
    ) async throws {
        let seen = SeenValues()
        func isMet(_ value: Content) -> Bool {
            seen.note("\(value)")
            return fits(value)
        }
        let what = "\(expected) of \(property.name) at \(path)"
        try await waiting(for: what, seen: { seen.description }, sourceLocation: sourceLocation) {
            let changes = try await propertyChanges()
            if isMet(try await get(property)) { return }
            for await message in changes {
                if let value = try PropertyValues<I>(changedIn: message)?.value(property), isMet(value) { return }
            }
            Issue.record("the bus ended before \(property.name) fitted", sourceLocation: sourceLocation)
        }
    }
}

extension Bus {
    /// Waits until a name has an owner.
    package func waitForOwner(of name: BusName, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await waitForOwner(of: name, sourceLocation: sourceLocation) { $0 != nil }
    }

    /// Waits until the owner of a name fits; nil: it has none.
    package func waitForOwner(
        of name: BusName,
        sourceLocation: SourceLocation = #_sourceLocation,
        where fits: (BusName?) -> Bool
    ) async throws {
        let changes = try await nameOwnerChanges(of: name)
        _ = await changes.next("an owner of \(name)", sourceLocation: sourceLocation) { fits($0.new) }
    }
}
