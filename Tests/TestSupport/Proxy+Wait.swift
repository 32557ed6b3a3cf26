package import DBus
import Testing

extension Proxy {
    /// Waits until a property has a value.
    package func wait<I: Interface, Content: Equatable>(_ property: InterfaceProperty<I, Content>, is expected: Content)
        async throws
    {
        try await wait(property) { $0 == expected }
    }

    /// Waits until a property has a fitting value.
    package func wait<I: Interface, Content>(_ property: InterfaceProperty<I, Content>, until fits: (Content) -> Bool)
        async throws
    {
        let changes = try await propertyChanges()
        if fits(try await get(property)) { return }
        for await message in changes {
            if let value = try PropertyValues<I>(changedIn: message)?.value(property), fits(value) { return }
        }
        Issue.record("the bus ended before \(property.name) fitted")
    }
}
