package import StagecoachCore

/// An error of a Pact document that is JSON but not as the specification defines it.
package struct PactFormatError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The place in the document, such as `matchingRules.body['$.a']`.
  package var place: String
  /// The reason of the error.
  package var reason: String

  package init(_ place: String, _ reason: String) {
    self.place = place
    self.reason = reason
  }

  package var description: String { "\(place): \(reason)" }
}

extension JSONValue {
  /// The limits for Pact documents: what is read from them is compared and applied by recursion.
  package static let pactLimits = Limits(depth: 200)

  /// Returns the object at a place, or throws.
  func pactObject(_ place: String) throws(PactFormatError) -> JSONObject {
    guard case .object(let object) = self else { throw PactFormatError(place, "expected an object") }
    return object
  }

  /// Returns the array at a place, or throws.
  func pactArray(_ place: String) throws(PactFormatError) -> [JSONValue] {
    guard case .array(let array) = self else { throw PactFormatError(place, "expected an array") }
    return array
  }
}

extension JSONObject {
  /// Returns the text for a key, or throws.
  func pactText(_ key: String, _ place: String) throws(PactFormatError) -> String {
    guard let text = self[key]?.stringValue else {
      throw PactFormatError(place, "expected a text for \"\(key)\"")
    }
    return text
  }

  /// Returns a number that is not negative for a key, `nil` if it is absent.
  func pactCount(_ key: String, _ place: String) throws(PactFormatError) -> Int? {
    guard let value = self[key], !value.isNull else { return nil }
    let count = value.intValue ?? value.stringValue.flatMap { Int($0) }
    guard let count, count >= 0 else { throw PactFormatError(place, "expected a number for \"\(key)\"") }
    return count
  }
}
