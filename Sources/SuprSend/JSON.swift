public import SocketIO

/// A JSON document as a value; literals of Swift make one: `["plan": "pro", "seats": 3]`.
public typealias JSONValue = SocketIO.JSONValue
