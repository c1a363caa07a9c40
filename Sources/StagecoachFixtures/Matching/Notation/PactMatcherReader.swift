import StagecoachCore

/// Reads single matchers of Pact files.
struct PactMatcherReader {
  /// The part of a text that regular expressions have to match.
  var extent = TextPattern.Extent.whole

  /// Reads a matcher such as `{"match": "type", "min": 1}`. Without `match` it is determined by its other members.
  func matcher(_ value: JSONValue, at place: String) throws(PactFormatError) -> Matcher {
    let object = try value.pactObject(place)
    switch object["match"]?.stringValue {
    case "equality": return .equality
    case "regex": return .regex(try pattern(try object.pactText("regex", place), place))
    case "type", "min", "max", "minmax", "min-type", "max-type", "min-max-type":
      return .type(min: try object.pactCount("min", place), max: try object.pactCount("max", place))
    case "include": return .include((object["value"] ?? "").plainText)
    case "integer": return .integer
    case "decimal", "real": return .decimal
    case "number": return .number
    case "null": return .null
    case "boolean": return .boolean
    case "date": return .date(try format(object, ["format", "date"], place))
    case "time": return .time(try format(object, ["format", "time"], place))
    case "datetime", "timestamp":
      return .dateTime(try format(object, ["format", "datetime", "timestamp"], place))
    case "contentType", "content-type": return .contentType(try mediaType(object, place))
    case "values": return .values
    case "atLeast": return .atLeast
    case "arrayContains", "array-contains": return .arrayContains(try variants(object, place))
    case "statusCode", "status-code": return .statusCode(try range(object["status"] ?? .null, place))
    case "notEmpty", "not-empty": return .notEmpty
    case "eachKey", "each-key": return .eachKey(try matchers(object, place))
    case "eachValue", "each-value": return .eachValue(try matchers(object, place))
    case let name?:
      if let condition = TextCondition.all.first(where: { $0.name == name }) { return .text(condition) }
      let known = Matcher.conditions.map(\.name).joined(separator: ", ")
      throw PactFormatError(place, "unknown matcher \"\(name)\", expected one of \(known)")
    case nil: return try matcherWithoutName(object, place)
    }
  }

  private func matcherWithoutName(_ object: JSONObject, _ place: String) throws(PactFormatError) -> Matcher {
    if let regex = object["regex"]?.stringValue { return .regex(try pattern(regex, place)) }
    if object["min"] != nil || object["max"] != nil {
      return .type(min: try object.pactCount("min", place), max: try object.pactCount("max", place))
    }
    if object["date"] != nil { return .date(try format(object, ["date"], place)) }
    if object["time"] != nil { return .time(try format(object, ["time"], place)) }
    if object["timestamp"] != nil { return .dateTime(try format(object, ["timestamp"], place)) }
    throw PactFormatError(place, "there is no matcher")
  }

  private func pattern(_ text: String, _ place: String) throws(PactFormatError) -> TextPattern {
    do throws(TextPatternError) {
      return try TextPattern(text, extent: extent)
    } catch {
      throw PactFormatError(place, error.description)
    }
  }

  private func format(
    _ object: JSONObject,
    _ keys: [String],
    _ place: String
  ) throws(PactFormatError) -> DateTimePattern? {
    guard let text = keys.lazy.compactMap({ object[$0]?.stringValue }).first, !text.isEmpty else {
      return nil
    }
    do throws(DateTimePatternError) {
      return try DateTimePattern(text)
    } catch {
      throw PactFormatError(place, error.description)
    }
  }

  private func mediaType(_ object: JSONObject, _ place: String) throws(PactFormatError) -> MediaType {
    let text = try object.pactText("value", place)
    guard let type = MediaType(text) else { throw PactFormatError(place, "\"\(text)\" is not a media type") }
    return type
  }

  private func variants(_ object: JSONObject, _ place: String) throws(PactFormatError) -> [ArrayVariant] {
    var variants: [ArrayVariant] = []
    for (index, value) in try (object["variants"] ?? []).pactArray(place).enumerated() {
      let place = "\(place).variants[\(index)]"
      let variant = try value.pactObject(place)
      let rules = PactRulesReader(matchers: self)
      variants.append(
        ArrayVariant(
          index: try variant.pactCount("index", place) ?? index,
          rules: try rules.rules(variant["rules"] ?? [:], of: .body, at: place + ".rules")
        )
      )
    }
    return variants
  }

  private func matchers(_ object: JSONObject, _ place: String) throws(PactFormatError) -> [Matcher] {
    var matchers: [Matcher] = []
    for (index, value) in try (object["rules"] ?? []).pactArray(place).enumerated() {
      matchers.append(try matcher(value, at: "\(place).rules[\(index)]"))
    }
    return matchers
  }

  private func range(_ value: JSONValue, _ place: String) throws(PactFormatError) -> StatusRange {
    switch value {
    case "info": return .information
    case "success": return .success
    case "redirect": return .redirect
    case "clientError": return .clientError
    case "serverError": return .serverError
    case "nonError": return .nonError
    case "error": return .error
    case .array(let codes):
      let numbers = codes.compactMap(\.intValue)
      if numbers.count == codes.count { return .codes(numbers) }
    default: break
    }
    throw PactFormatError(place, "unknown status \(value)")
  }
}
