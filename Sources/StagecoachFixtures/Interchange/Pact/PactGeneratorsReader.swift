package import StagecoachCore

/// Reads the generators of Pact files of version 3 and 4.
package struct PactGeneratorsReader {
  package init() {}

  /// Reads the value of `generators`.
  ///
  /// - Throws: ``PactFormatError`` if a generator is malformed or unknown.
  package func generators(_ value: JSONValue?) throws(PactFormatError) -> [GeneratorRule] {
    guard let value, !value.isNull else { return [] }
    var rules: [GeneratorRule] = []
    for member in try value.pactObject("generators").members {
      let place = "generators.\(member.key)"
      guard let part = PactRulesReader.part(member.key) else { continue }
      let object = try member.value.pactObject(place)
      if object["type"]?.stringValue != nil {
        rules.append(GeneratorRule(part, try generator(object, place)))
        continue
      }
      for member in object.members {
        let place = "\(place)['\(member.key)']"
        let path = try PactRulesReader().path(member.key, of: part, place)
        rules.append(GeneratorRule(part, at: path, try generator(try member.value.pactObject(place), place)))
      }
    }
    return rules
  }

  private func generator(_ object: JSONObject, _ place: String) throws(PactFormatError) -> Generator {
    let expression = object["expression"]?.stringValue
    switch try object.pactText("type", place) {
    case "RandomInt":
      return .randomInteger(
        min: try integer(object, "min", 0),
        max: try integer(object, "max", Int(Int32.max))
      )
    case "RandomDecimal": return .randomDecimal(digits: try size(object, "digits", 6, place))
    case "RandomHexadecimal": return .randomHexadecimal(digits: try size(object, "digits", 10, place))
    case "RandomString": return .randomString(size: try size(object, "size", 20, place))
    case "Regex": return .regex(try object.pactText("regex", place))
    case "Uuid":
      guard let name = object["format"]?.stringValue else { return .uuid(.lowerCaseHyphenated) }
      guard let format = Generator.UUIDFormat(rawValue: name) else {
        throw PactFormatError(place, "unknown format \"\(name)\"")
      }
      return .uuid(format)
    case "Date": return .date(try format(object, place), expression: expression)
    case "Time": return .time(try format(object, place), expression: expression)
    case "DateTime": return .dateTime(try format(object, place), expression: expression)
    case "RandomBoolean": return .randomBoolean
    case "ProviderState": return .providerState(expression: try object.pactText("expression", place))
    case "MockServerURL":
      return .mockServerURL(
        example: try object.pactText("example", place),
        regex: try object.pactText("regex", place)
      )
    case let name: throw PactFormatError(place, "unknown generator \"\(name)\"")
    }
  }

  private func integer(_ object: JSONObject, _ key: String, _ fallback: Int) throws(PactFormatError) -> Int {
    guard let value = object[key], !value.isNull else { return fallback }
    guard let number = value.intValue else { throw PactFormatError(key, "expected a whole number") }
    return number
  }

  private func size(
    _ object: JSONObject,
    _ key: String,
    _ fallback: Int,
    _ place: String
  ) throws(PactFormatError) -> Int {
    let size = try object.pactCount(key, place) ?? fallback
    guard size <= Generator.greatestSize else {
      throw PactFormatError(place, "\"\(key)\" is greater than \(Generator.greatestSize)")
    }
    return size
  }

  private func format(_ object: JSONObject, _ place: String) throws(PactFormatError) -> DateTimePattern? {
    guard let text = object["format"]?.stringValue, !text.isEmpty else { return nil }
    do throws(DateTimePatternError) {
      return try DateTimePattern(text)
    } catch {
      throw PactFormatError(place, error.description)
    }
  }
}
