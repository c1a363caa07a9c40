#if StructuredFields
  public import HTTPTypes
  public import RawStructuredFieldValues

  // The forms of RFC 9651 as they are, for fields whose members or parameters are not known beforehand.
  extension HTTPFields {
    /// Reads a field that is an item (RFC 9651 3.3), with its parameters.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - limit: The most bytes that its lines may have together.
    /// - Returns: The item; nil if there is no such field.
    /// - Throws: ``StructuredFieldError``.
    public func structuredItem(
      for name: HTTPField.Name,
      limit: Int = structuredFieldLimit
    ) throws(StructuredFieldError) -> Item? {
      try parse(name, limit) { parser in try parser.parseItemFieldValue() }
    }

    /// Reads a field that is a list (RFC 9651 3.1) of items and inner lists.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - limit: The most bytes that its lines may have together.
    /// - Returns: The members; nil if there is no such field.
    /// - Throws: ``StructuredFieldError``.
    public func structuredList(
      for name: HTTPField.Name,
      limit: Int = structuredFieldLimit
    ) throws(StructuredFieldError) -> [ItemOrInnerList]? {
      try parse(name, limit) { parser in try parser.parseListFieldValue() }
    }

    /// Reads a field that is a dictionary (RFC 9651 3.2), in its order.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - limit: The most bytes that its lines may have together.
    /// - Returns: The members, of those with the same key the last one; nil if there is no such field.
    /// - Throws: ``StructuredFieldError``.
    public func structuredDictionary(
      for name: HTTPField.Name,
      limit: Int = structuredFieldLimit
    ) throws(StructuredFieldError) -> OrderedMap<String, ItemOrInnerList>? {
      try parse(name, limit) { parser in try parser.parseDictionaryFieldValue() }
    }

    /// Writes an item as a field, which replaces all lines of that name.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - name: The name of the field.
    /// - Throws: ``StructuredFieldError``; the fields are as they were then.
    public mutating func setStructured(
      _ item: Item,
      for name: HTTPField.Name
    ) throws(StructuredFieldError) {
      try setStructuredLine(of: name) {
        var serializer = StructuredFieldValueSerializer()
        return try serializer.writeItemFieldValue(item)
      }
    }

    /// Writes a list as a field, which replaces all lines of that name; an empty list removes the field.
    ///
    /// - Parameters:
    ///   - list: The members.
    ///   - name: The name of the field.
    /// - Throws: ``StructuredFieldError``; the fields are as they were then.
    public mutating func setStructured(
      _ list: [ItemOrInnerList],
      for name: HTTPField.Name
    ) throws(StructuredFieldError) {
      try setStructuredLine(of: name) {
        var serializer = StructuredFieldValueSerializer()
        return try serializer.writeListFieldValue(list)
      }
    }

    /// Writes a dictionary as a field, which replaces all lines of that name; an empty one removes the field.
    ///
    /// - Parameters:
    ///   - dictionary: The members.
    ///   - name: The name of the field.
    /// - Throws: ``StructuredFieldError``; the fields are as they were then.
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
