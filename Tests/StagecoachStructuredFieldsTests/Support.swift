#if StructuredFields
  import HTTPTypes
  import RawStructuredFieldValues
  import StagecoachStructuredFields
  import StructuredFieldValues
  import Testing

  /// An item of one type, with no parameters asked for.
  struct Single<Value: Codable & Equatable & Sendable>: StructuredFieldValue, Equatable {
    static var structuredFieldType: StructuredFieldType { .item }
    var item: Value
  }

  /// A list of members of one type.
  struct Several<Member: Codable & Equatable & Sendable>: StructuredFieldValue, Equatable {
    static var structuredFieldType: StructuredFieldType { .list }
    var items: [Member]
  }

  extension HTTPField.Name {
    static let example = HTTPField.Name("Example")!
  }

  /// Fields with so many lines of one name.
  func lines(_ values: String...) -> HTTPFields {
    HTTPFields(values.map { HTTPField(name: .example, value: $0) })
  }

  /// What reading or writing throws, without the words of the library.
  func reason(_ body: () throws -> Void) throws -> StructuredFieldError.Reason {
    let error = try #require(throws: StructuredFieldError.self, performing: body)
    #expect(error.field == .example)
    #expect(error.description.contains("Example"))
    return error.reason
  }
#endif
