package import AgentInterface
import ArgumentParser

/// A list of the supported services.
package protocol ServiceCatalog {
    static var services: [ServiceDescription] { get }
}

/// The service of an account and its values: an option for each that a service of the catalog describes.
///
/// ArgumentParser finds a type's options by reflection, and reads them by their names as any `Decodable` type does. So what this type shows
/// as its children are its options.
package struct ServiceOptions<Catalog: ServiceCatalog>: ParsableArguments, CustomReflectable {
    /// The service that was named, or else the first one; nil: the catalog is empty.
    package private(set) var service: ServiceDescription?
    /// What was given, by the names of the options.
    package private(set) var values: [String: String] = [:]

    package init() {}

    package init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: Key.self)
        guard !Catalog.services.isEmpty else {
            // What is not read counts as unknown.
            _ = try options.decode(Argument<[String]>.self, forKey: Key(stringValue: "unrecognized"))
            return
        }
        let name = try options.decode(Option<Name>.self, forKey: Key(stringValue: "provider")).wrappedValue
        service = Catalog.services.first { $0.name == name.text }
        for option in Self.options {
            let key = Key(stringValue: option.name)
            values[option.name] = try options.decode(Option<String?>.self, forKey: key).wrappedValue
        }
    }

    package var customMirror: Mirror {
        // Without a catalog no option is known to be wrong.
        guard !Catalog.services.isEmpty else {
            let words = Argument<[String]>(wrappedValue: [], parsing: .allUnrecognized, help: .hidden)
            return Mirror(self, children: ["unrecognized": words])
        }
        var children: [(label: String?, value: Any)] = [
            ("provider", Option(wrappedValue: Name(text: Catalog.services.first?.name ?? ""), help: "The service."))
        ]
        children += Self.options.map { option in
            let help = ArgumentHelp("\(option.help)", valueName: option.valueName)
            return (option.name, Option<String?>(name: .customLong(option.name), help: help))
        }
        return Mirror(self, children: children.map { (label: $0.label, value: $0.value) })
    }

    /// Those of all services. Where two have one of the same name, it is described as the first of them has it.
    private static var options: [ServiceDescription.Option] {
        var names: Set<String> = []
        return Catalog.services.flatMap(\.options).filter { names.insert($0.name).inserted }
    }

    /// The name of a service.
    private struct Name: ExpressibleByArgument {
        var text: String

        init(text: String) { self.text = text }

        init?(argument: String) {
            guard Catalog.services.contains(where: { $0.name == argument }) else { return nil }
            text = argument
        }

        var defaultValueDescription: String { text }
        static var allValueStrings: [String] { Catalog.services.map(\.name) }
        static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
    }

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
