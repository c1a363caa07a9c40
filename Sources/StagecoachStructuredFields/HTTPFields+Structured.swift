#if StructuredFields
  public import HTTPTypes
  public import StructuredFieldValues

  extension HTTPFields {
    /// How many bytes the lines of a structured field may have together, unless told otherwise: 16 KiB. The time
    /// to read one grows with the square of its members.
    public static let structuredFieldLimit = 16 * 1024

    /// Reads a structured field (RFC 9651) into a type.
    ///
    /// The type says by its `structuredFieldType` whether the field is an item, a list or a dictionary, and by its
    /// properties what is in it: an item has the properties `item` and `parameters`, an inner list `items` and
    /// `parameters`, a list `items`, a dictionary its members. Several lines are one list or one dictionary.
    ///
    /// ```swift
    /// struct Priority: StructuredFieldValue {
    ///   static let structuredFieldType = StructuredFieldType.dictionary
    ///   var u: Int?
    ///   var i: Bool?
    /// }
    /// let urgency = try response.fields.structured(Priority.self, for: .priority)?.u ?? 3
    /// ```
    ///
    /// - Parameters:
    ///   - type: What to read.
    ///   - name: The name of the field.
    ///   - limit: The most bytes that its lines may have together.
    /// - Returns: The value; nil if there is no such field.
    /// - Throws: ``StructuredFieldError``.
    public func structured<Value: StructuredFieldValue>(
      _ type: Value.Type = Value.self,
      for name: HTTPField.Name,
      limit: Int = structuredFieldLimit
    ) throws(StructuredFieldError) -> Value? {
      guard let line = try structuredLine(of: name, limit: limit) else { return nil }
      do {
        return try StructuredFieldValueDecoder().decode(type, from: line)
      } catch {
        throw StructuredFieldError(reading: name, error)
      }
    }

    /// Writes a value as a structured field (RFC 9651), which replaces all lines of that name.
    ///
    /// A list or a dictionary without members has no form: the field is removed.
    ///
    /// - Parameters:
    ///   - value: The value. Its decimals are finite and below 10¹² in magnitude; the library behind this stops the
    ///     program for those that are not finite or beyond 9 × 10¹⁵.
    ///   - name: The name of the field.
    /// - Throws: ``StructuredFieldError``; the fields are as they were then.
    public mutating func setStructured(
      _ value: some StructuredFieldValue,
      for name: HTTPField.Name
    ) throws(StructuredFieldError) {
      try setStructuredLine(of: name) { try StructuredFieldValueEncoder().encode(value) }
    }

    /// The lines of a field as one (RFC 9651 4.2, RFC 9110 5.2); nil if there is none.
    func structuredLine(of name: HTTPField.Name, limit: Int) throws(StructuredFieldError) -> [UInt8]? {
      var line: [UInt8]?
      for field in self[fields: name] {
        let separator = line == nil ? "" : ", "
        guard field.value.utf8.count + separator.utf8.count <= limit - (line?.count ?? 0) else {
          throw StructuredFieldError(.tooLarge(limit: limit), in: name)
        }
        line = line ?? []
        line?.append(contentsOf: separator.utf8)
        line?.append(contentsOf: field.value.utf8)
      }
      return line
    }

    /// Replaces a field by what is written.
    mutating func setStructuredLine(
      of name: HTTPField.Name,
      _ write: () throws -> [UInt8]
    ) throws(StructuredFieldError) {
      let line: [UInt8]
      do {
        line = try write()
      } catch {
        throw StructuredFieldError(.unwritable, in: name, underlying: error)
      }
      self[name] = line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }
  }
#endif
