// An app that imports this library also imports the public types of that module: their members, such as the literals
// of `JSONValue`, would otherwise not be visible there (MemberImportVisibility).
@_exported public import ClientKit
