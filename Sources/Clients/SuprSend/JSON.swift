// An app that imports this library also imports `JSONValue`, the only public type of that module: its literals would
// otherwise not be visible there (MemberImportVisibility).
@_exported public import ClientKit
