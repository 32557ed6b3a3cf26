import ArgumentParser

/// A list of the supported services.
package protocol ServiceCatalog {
    static var services: [ServiceDescription] { get }
}

/// The `--provider` option, and the options that the services of the catalog describe.
///
/// ArgumentParser finds a type's options by reflection, and decodes them by name like any `Decodable` type. So the
/// children of this type's mirror are its options.
package struct ServiceOptions<Catalog: ServiceCatalog>: ParsableArguments, CustomReflectable {
    /// The services that the options may be for: the chosen one, otherwise those that have all given options, in the
    /// order of the catalog. Empty: the catalog is empty.
    package private(set) var candidates: [ServiceDescription] = []
    /// The given values by option name.
    package private(set) var values: [String: String] = [:]

    package init() {}

    /// The first candidate; nil: the catalog is empty.
    package var service: ServiceDescription? { candidates.first }

    package init(from decoder: any Decoder) throws {
        let options = try decoder.container(keyedBy: Key.self)
        guard !Catalog.services.isEmpty else {
            // ArgumentParser reports arguments that are not decoded as unknown.
            _ = try options.decode(Argument<[String]>.self, forKey: Key(stringValue: "unrecognized"))
            return
        }
        let chosen = try options.decode(Option<Name?>.self, forKey: Key(stringValue: "provider")).wrappedValue
        for option in Self.options {
            let key = Key(stringValue: option.name)
            values[option.name] = try options.decode(Option<String?>.self, forKey: key).wrappedValue
        }
        candidates = Catalog.services.filter { service in
            chosen.map { $0.text == service.name } ?? Set(service.allOptions.map(\.name)).isSuperset(of: values.keys)
        }
        // Options of different services: the first one's error names the wrong one.
        if candidates.isEmpty { candidates = Array(Catalog.services.prefix(1)) }
    }

    package var customMirror: Mirror {
        // Without a catalog no option is known to be wrong.
        guard !Catalog.services.isEmpty else {
            let words = Argument<[String]>(wrappedValue: [], parsing: .allUnrecognized, help: .hidden)
            return Mirror(self, children: ["unrecognized": words])
        }
        let usual = Catalog.services.first?.name ?? ""
        let help: ArgumentHelp = "The service. By default the one that has the given options, else \(usual)."
        var children: [(label: String?, value: Any)] = [("provider", Option<Name?>(help: help))]
        children += Self.options.map { option in
            let help = ArgumentHelp("\(option.help)", valueName: option.valueName)
            return (option.name, Option<String?>(name: .customLong(option.name), help: help))
        }
        return Mirror(self, children: children.map { (label: $0.label, value: $0.value) })
    }

    /// The options of all services. Of two with the same name, the first one is used.
    private static var options: [ServiceDescription.Option] {
        var names: Set<String> = []
        return Catalog.services.flatMap(\.allOptions).filter { names.insert($0.name).inserted }
    }

    /// The name of a service.
    private struct Name: ExpressibleByArgument {
        var text: String

        init?(argument: String) {
            guard Catalog.services.contains(where: { $0.name == argument }) else { return nil }
            text = argument
        }

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
