#if StructuredFields
  public import HTTPTypes
  public import StructuredFieldValues

  extension HTTPFields {
    /// The default limit for the size of the lines of a structured field in bytes: 16 KiB. The time to parse a field
    /// grows with the square of its members.
    public static let structuredFieldLimit = 16 * 1024

    /// Returns a structured field decoded as a type (RFC 9651).
    ///
    /// The type's `structuredFieldType` specifies whether the field is an item, a list or a dictionary, and its
    /// properties specify the content: an item has the properties `item` and `parameters`, an inner list `items` and
    /// `parameters`, a list `items`, a dictionary its members. Several lines are combined into one list or dictionary.
    ///
    /// ```swift
    /// import StructuredFieldValues
    ///
    /// struct Priority: StructuredFieldValue {
    ///   static let structuredFieldType = StructuredFieldType.dictionary
    ///   var u: Int?
    ///   var i: Bool?
    /// }
    /// let urgency = try response.fields.structured(Priority.self, for: .priority)?.u ?? 3
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - name: The name of the field.
    ///   - limit: The maximum size of its lines in bytes.
    /// - Returns: The value; `nil` if the field is absent.
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

    /// Sets a structured field to a value, replacing all lines with that name (RFC 9651).
    ///
    /// A list or a dictionary without members cannot be written: the field is removed.
    ///
    /// - Parameters:
    ///   - value: The value. Its decimals must be finite and below 10¹² in magnitude; the underlying library stops the
    ///     program for decimals that are not finite or beyond 9 × 10¹⁵.
    ///   - name: The name of the field.
    /// - Throws: ``StructuredFieldError``; then the fields are not changed.
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
