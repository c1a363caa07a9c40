package import StagecoachCore

/// A condition on an actual value, which replaces equality with the expected value.
///
/// The expected value is an example: a matcher such as ``type(min:max:)`` compares with it, a matcher such as
/// ``regex(_:)`` does not. The matchers are those of the Pact specification, versions 1 to 4.
package indirect enum Matcher: Sendable, Hashable {
  /// The value is equal to the expected value. Cancels a rule for an enclosing value.
  case equality
  /// The value has the same JSON type as the expected value. Each element of an array is compared with the example at
  /// its position, or with the first example; `min` and `max` limit the number of elements.
  case type(min: Int? = nil, max: Int? = nil)
  /// The text of the value matches a pattern.
  case regex(TextPattern)
  /// The text of the value contains a text.
  case include(String)
  /// The value is a number without fraction and exponent; in a query or header, the text of one.
  case integer
  /// The value is a number with a fraction or exponent; in a query or header, the text of any number.
  case decimal
  /// The value is a number; in a query or header, the text of one.
  case number
  /// The value is `null`.
  case null
  /// The value is a boolean, or the text `true` or `false`.
  case boolean
  /// The text of the value is a date of a pattern, `yyyy-MM-dd` by default.
  case date(DateTimePattern? = nil)
  /// The text of the value is a time of a pattern, `HH:mm:ss` by default.
  case time(DateTimePattern? = nil)
  /// The text of the value is a date and time of a pattern, `yyyy-MM-dd'T'HH:mm:ssXXX` by default.
  case dateTime(DateTimePattern? = nil)
  /// The first bytes of the value are those of a media type.
  case contentType(MediaType)
  /// The keys of an object are ignored; each value is compared with the example of its key, or with the first example.
  case values
  /// An object, array or form has what the example has, and may have more members, elements or parameters, here and
  /// below. Pact has no such matcher.
  case atLeast
  /// An array contains an element for each variant, in any order and among others.
  case arrayContains([ArrayVariant])
  /// The status code is in a range.
  case statusCode(StatusRange)
  /// The value is neither `null` nor an empty text, array, object or body.
  case notEmpty
  /// The text of the value meets a condition.
  case text(TextCondition)
  /// Each key of an object meets the matchers; the values are not compared.
  case eachKey([Matcher])
  /// Each value of an object, or each element of an array, meets the matchers.
  case eachValue([Matcher])
}

extension Matcher {
  /// The conditions of rules by their names in scenarios and Pact files, each with what it says.
  package static let conditions = cases + TextCondition.all.map { ($0.name, $0.text) }

  private static let cases: [(name: String, text: String)] = [
    ("equality", "equal to the recorded value, also below a value with another rule"),
    ("type", #"of the same JSON type; "min" and "max" limit the elements of an array"#),
    ("regex", #"a text that "regex" matches as a whole"#),
    ("include", #"a text with "value" in it"#),
    ("integer", "a number without fraction"),
    ("decimal", "a number with a fraction"),
    ("number", "a number"),
    ("null", "null"),
    ("boolean", "true or false"),
    ("date", #"a date, of the Java pattern "format" if there is one"#),
    ("time", #"a time, of "format""#),
    ("datetime", #"a date and time, of "format""#),
    ("contentType", #"octets that begin as the media type "value" does"#),
    ("values", "an object with any keys; a query with any further parameters"),
    ("atLeast", "all of the recorded members, elements or parameters, and any further ones, here and below"),
    ("arrayContains", #"an array with an element for each of "variants", among others"#),
    (
      "statusCode",
      #"a status in "status": a list, or success, redirect, clientError, serverError and the like"#
    ),
    ("notEmpty", "neither null nor empty"),
    ("eachKey", #"an object whose keys meet "rules""#),
    ("eachValue", #"an object or array whose values meet "rules""#),
  ]
}

/// An element that an array has to contain; see ``Matcher/arrayContains(_:)``.
package struct ArrayVariant: Sendable, Hashable {
  /// The position of the example in the expected array.
  package var index: Int
  /// The rules for the element. Their paths start at the element.
  package var rules: MatchRules

  /// Creates a variant.
  package init(index: Int, rules: MatchRules = []) {
    self.index = index
    self.rules = rules
  }
}

extension Matcher {
  /// Whether the matcher compares the types of values.
  var isType: Bool { if case .type = self { true } else { false } }

  /// Whether the matcher is one on a text only.
  var isOfText: Bool {
    switch self {
    case .regex, .include: true
    default: false
    }
  }

  /// Whether the matcher ignores the keys of an object.
  var ignoresKeys: Bool {
    switch self {
    case .values, .eachValue, .eachKey: true
    default: false
    }
  }

  /// Whether the matcher applies to a single value of any type, without its elements or members.
  var isOfLeaf: Bool {
    switch self {
    case .regex, .include, .integer, .decimal, .number, .null, .boolean, .date, .time, .dateTime,
      .contentType, .text, .notEmpty:
      true
    default: false
    }
  }
}
