/// An answer of the origin of a history.
struct HistoryEmission: Sendable, CustomStringConvertible {
  enum Kind {
    /// 200 with content, or a part of it, whatever the method.
    case content
    /// 200 to HEAD.
    case head
    case notModified
    /// No connection, or a status of 500 and more.
    case failure
    case other
  }

  /// Its place in the history.
  let sequence: Int
  let request: HistoryRequest
  var kind = Kind.other
  var mark: HistoryResource.Mark
  let statement: HistoryStatement
  /// Content-Location.
  var location: String?
  /// Whether the connection breaks before the content ends.
  var isCut = false
  /// The fields of the request that may be nominated, as they came.
  let fields: [String: String]
  /// In seconds.
  let time: Double

  var description: String {
    "\(sequence) at \(Int(time - HistoryOrigin.start)) s: \(kind) of \(mark.owner).\(mark.version) "
      + "to \(request), \(statement.text)" + (location.map { "; at \($0)" } ?? "")
  }
}

/// A change that the cache knows of.
struct HistoryChange: Sendable {
  let resource: Int
  /// When the origin made it.
  let made: Int
  /// When the one who made it had the response.
  let known: Int
}

/// What one request got.
struct HistoryDelivery: Sendable, CustomStringConvertible {
  let request: HistoryRequest
  /// Its place in the history.
  let began: Int
  /// In seconds, when the request began.
  let time: Double
  var status = 0
  /// The name in lower case, and the last value.
  var fields: [String: String] = [:]
  /// nil if it broke off.
  var body: [UInt8]?

  var description: String {
    "\(began) at \(Int(time - HistoryOrigin.start)) s: \(request) got \(status) \(fields), "
      + (body.map { "\($0.count) bytes" } ?? "cut")
  }
}
