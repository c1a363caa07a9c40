public struct MediaType: Sendable, Hashable, CustomStringConvertible { public init?(_ s: String) { return nil }; public var essence: String { "" }; public var description: String { "" } }
public struct MediaRange: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral { public init(stringLiteral: String) {}; public static let any: MediaRange = "*/*"; public func matches(_ t: MediaType) -> Bool { true }; public var specificity: Int { 0 }; public static func acceptField(_ r: [MediaRange]) -> String { "" }; public var description: String { "" } }
public struct Charset: Sendable, Hashable { public enum Mode: Sendable { case strict, lossy } }
public struct CharsetError: Error {}
func decodeText(_ b: UnsafeRawBufferPointer, contentType: MediaType?, override: Charset?, mode: Charset.Mode) throws(CharsetError) -> String { "" }
public struct Parameters: Sendable {}
public struct QueryEncoder: Sendable { public init() {}; func encode(_ p: Parameters) throws -> String { "" }; func appending(query: String, to: String) -> String { "" } }
