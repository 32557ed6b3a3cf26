public import ClientKit

/// Persistent storage for a few small texts. The app provides it: ``FileStorage``, or its own database.
///
/// The library logs a failure and continues without the text.
public protocol SuprSendStorage: TextStorage {}

extension MemoryStorage: SuprSendStorage {}
