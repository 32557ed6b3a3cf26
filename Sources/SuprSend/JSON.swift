// An app that imports this library gets `JSONValue`, the one public type of that module, along with it: without, its literals would
// not be visible there (MemberImportVisibility).
@_exported public import ClientKit
