#if StructuredFields
  public import HTTPTypes
  public import RawStructuredFieldValues

  // The forms of RFC 9651 as they are, for fields whose members or parameters are not known beforehand.
  extension HTTPFields {
    /// Returns a field as an item with its parameters (RFC 9651 3.3).
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - limit: The maximum size of its lines in bytes.
    /// - Returns: The item; `nil` if the field is absent.
    /// - Throws: ``StructuredFieldError``.
    public func structuredItem(
      for name: HTTPField.Name,
      limit: Int = structuredFieldLimit
    ) throws(StructuredFieldError) -> Item? {
      try parse(name, limit) { parser in try parser.parseItemFieldValue() }
    }

    /// Returns a field as a list of items and inner lists (RFC 9651 3.1).
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - limit: The maximum size of its lines in bytes.
    /// - Returns: The members; `nil` if the field is absent.
    /// - Throws: ``StructuredFieldError``.
    public func structuredList(
      for name: HTTPField.Name,
      limit: Int = structuredFieldLimit
    ) throws(StructuredFieldError) -> [ItemOrInnerList]? {
      try parse(name, limit) { parser in try parser.parseListFieldValue() }
    }

    /// Returns a field as a dictionary, in order (RFC 9651 3.2).
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - limit: The maximum size of its lines in bytes.
    /// - Returns: The members, of duplicate keys the last one; `nil` if the field is absent.
    /// - Throws: ``StructuredFieldError``.
    public func structuredDictionary(
      for name: HTTPField.Name,
      limit: Int = structuredFieldLimit
    ) throws(StructuredFieldError) -> OrderedMap<String, ItemOrInnerList>? {
      try parse(name, limit) { parser in try parser.parseDictionaryFieldValue() }
    }

    /// Sets a field to an item, replacing all lines with that name.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - name: The name of the field.
    /// - Throws: ``StructuredFieldError``; then the fields are not changed.
    public mutating func setStructured(
      _ item: Item,
      for name: HTTPField.Name
    ) throws(StructuredFieldError) {
      try setStructuredLine(of: name) {
        var serializer = StructuredFieldValueSerializer()
        return try serializer.writeItemFieldValue(item)
      }
    }

    /// Sets a field to a list, replacing all lines with that name; an empty list removes the field.
    ///
    /// - Parameters:
    ///   - list: The members.
    ///   - name: The name of the field.
    /// - Throws: ``StructuredFieldError``; then the fields are not changed.
    public mutating func setStructured(
      _ list: [ItemOrInnerList],
      for name: HTTPField.Name
    ) throws(StructuredFieldError) {
      try setStructuredLine(of: name) {
        var serializer = StructuredFieldValueSerializer()
        return try serializer.writeListFieldValue(list)
      }
    }

    /// Sets a field to a dictionary, replacing all lines with that name; an empty one removes the field.
    ///
    /// - Parameters:
    ///   - dictionary: The members.
    ///   - name: The name of the field.
    /// - Throws: ``StructuredFieldError``; then the fields are not changed.
    public mutating func setStructured(
      _ dictionary: OrderedMap<String, ItemOrInnerList>,
      for name: HTTPField.Name
    ) throws(StructuredFieldError) {
      try setStructuredLine(of: name) {
        var serializer = StructuredFieldValueSerializer()
        return try serializer.writeDictionaryFieldValue(dictionary)
      }
    }

    private func parse<Value>(
      _ name: HTTPField.Name,
      _ limit: Int,
      _ body: (inout StructuredFieldValueParser<[UInt8]>) throws -> Value
    ) throws(StructuredFieldError) -> Value? {
      guard let line = try structuredLine(of: name, limit: limit) else { return nil }
      var parser = StructuredFieldValueParser(line)
      do {
        return try body(&parser)
      } catch {
        throw StructuredFieldError(reading: name, error)
      }
    }
  }
#endif
