#if Tool
  import Stagecoach

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// Any property list, as JSON shows it: dates as ISO 8601, data as base64.
  struct PropertyListTree: Decodable, Sendable {
    let json: JSONValue

    private struct Key: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
      if let object = try? decoder.container(keyedBy: Key.self) {
        json = .object(
          JSONObject(
            try object.allKeys.sorted { $0.stringValue < $1.stringValue }.map { key in
              JSONObject.Member(
                key: key.stringValue,
                value: try object.decode(PropertyListTree.self, forKey: key).json
              )
            }
          )
        )
      } else if var elements = try? decoder.unkeyedContainer() {
        var values: [JSONValue] = []
        while !elements.isAtEnd { values.append(try elements.decode(PropertyListTree.self).json) }
        json = .array(values)
      } else {
        json = try Self.leaf(decoder.singleValueContainer())
      }
    }

    private static func leaf(_ container: any SingleValueDecodingContainer) throws -> JSONValue {
      if let value = try? container.decode(Bool.self) { return .bool(value) }
      if let value = try? container.decode(Int.self) { return .number(JSONNumber(value)) }
      if let value = try? container.decode(Double.self) {
        return JSONNumber(value).map(JSONValue.number) ?? .string("\(value)")
      }
      if let value = try? container.decode(Date.self) { return .string(value.formatted(.iso8601)) }
      if let value = try? container.decode(Data.self) { return .string(value.base64EncodedString()) }
      return .string(try container.decode(String.self))
    }
  }
#endif
