// An app that imports this library also imports the public types of that module: `AppInfo`, and `JSONValue`, whose
// literals would otherwise not be visible there (MemberImportVisibility).
@_exported public import ClientKit
