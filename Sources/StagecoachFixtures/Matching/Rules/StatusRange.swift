/// A range of status codes (RFC 9110 15).
package enum StatusRange: Sendable, Hashable {
  /// 100 to 199.
  case information
  /// 200 to 299.
  case success
  /// 300 to 399.
  case redirect
  /// 400 to 499.
  case clientError
  /// 500 to 599.
  case serverError
  /// Below 400.
  case nonError
  /// From 400.
  case error
  /// One of these codes.
  case codes([Int])

  /// Returns whether a status code is in the range.
  package func contains(_ code: Int) -> Bool {
    switch self {
    case .information: (100...199).contains(code)
    case .success: (200...299).contains(code)
    case .redirect: (300...399).contains(code)
    case .clientError: (400...499).contains(code)
    case .serverError: (500...599).contains(code)
    case .nonError: code < 400
    case .error: code >= 400
    case .codes(let codes): codes.contains(code)
    }
  }
}

extension StatusRange: CustomStringConvertible {
  /// The range in the wording of Pact.
  package var description: String {
    switch self {
    case .information: "Informational response (100–199)"
    case .success: "Successful response (200–299)"
    case .redirect: "Redirect (300–399)"
    case .clientError: "Client error (400–499)"
    case .serverError: "Server error (500–599)"
    case .nonError: "Non-error response (< 400)"
    case .error: "Error response (>= 400)"
    case .codes(let codes): codes.map(String.init).joined(separator: ", ")
    }
  }
}
