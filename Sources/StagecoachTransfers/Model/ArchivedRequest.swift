import HTTPTypes
import StagecoachCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The request of a transfer, as far as an archive can keep it.
struct ArchivedRequest: Codable, Sendable, Equatable {
  struct Field: Codable, Sendable, Equatable {
    var name: String
    var value: String
  }

  /// A file, or a range of it.
  struct File: Codable, Sendable, Equatable {
    var path: String
    /// The first byte; `nil` for the whole file.
    var offset: Int64?
    var length: Int64?
  }

  /// The maximum number of fields.
  private static let mostFields = 1024

  var method: String
  var reference: String
  var fields: [Field]
  /// The content, if it is in memory.
  var bytes: Data?
  /// The content, if it is in a file.
  var file: File?
  var options: [String: OptionValue]
  /// The names of the fields and options that are not kept.
  var omittedFields: [String]
  var omittedOptions: [String]

  /// - Parameters:
  ///   - request: The request, with its content.
  ///   - marked: The names that its client or its options mark as sensitive.
  ///   - isComplete: Whether sensitive fields and the user information of the URL are kept.
  init(_ request: Request, marked: Set<HTTPField.Name>, withSecrets isComplete: Bool) throws {
    method = request.method.rawValue
    let reference = try Self.reference(request)
    self.reference = isComplete ? reference : Self.withoutUserInformation(reference)
    let secret = marked.union(SensitiveFields.called(in: request.fields))
    var kept = request.fields
    omittedFields = isComplete ? [] : kept.remove(secret).map(\.rawName).sorted()
    fields = kept.map { Field(name: $0.name.rawName, value: $0.value) }
    (options, omittedOptions) = ArchivedOptions.values(of: request.options)
    if request.body.isEmpty { return }
    if let bytes = request.body.bytes {
      self.bytes = bytes.withUnsafeBytes { Data($0) }
    } else if let (path, range) = request.body.fileRange {
      file = File(path: path, offset: range?.lowerBound, length: range.map { $0.upperBound - $0.lowerBound })
    } else {
      throw ExchangeError(
        .bodyNotReplayable,
        "the content of the request is a stream, which cannot be archived",
        advice: "create the body with .bytes or .file"
      )
    }
  }

  var contradiction: String? {
    guard HTTPRequest.Method(rawValue: method) != nil else { return "the method is not a token" }
    guard fields.count <= Self.mostFields else { return "there are more than \(Self.mostFields) fields" }
    guard fields.allSatisfy({ Self.isValid($0) }) else { return "a field is not valid" }
    guard bytes == nil || file == nil else { return "the content is both in memory and in a file" }
    if let file {
      let (end, overflow) = (file.offset ?? 0).addingReportingOverflow(file.length ?? 0)
      guard !file.path.isEmpty, !file.path.utf8.contains(0), (file.offset == nil) == (file.length == nil),
        file.offset ?? 0 >= 0, file.length ?? 0 >= 0, !overflow, end >= 0
      else { return "the range of a file is not valid" }
    }
    return ArchivedOptions.contradiction(in: options)
  }

  static func isValid(_ field: Field) -> Bool {
    HTTPField.Name(field.name) != nil && HTTPField.isValidValue(field.value)
  }

  /// Returns the request.
  ///
  /// - Throws: `ExchangeError` of kind `file` if the file of the content cannot be read.
  func restored() throws -> Request {
    var request = Request(HTTPRequest.Method(rawValue: method) ?? .get, reference)
    for field in fields { try request.addField(field.name, field.value) }
    if let bytes { request.body = .bytes(Bytes(bytes)) }
    if let file {
      let range = file.offset.flatMap { offset in file.length.map { offset..<offset + $0 } }
      request.body = try .file(file.path, range: range)
    }
    ArchivedOptions.set(options, in: &request.options)
    return request
  }

  // MARK: URLs

  private static func reference(_ request: Request) throws -> String {
    if let reference = request.reference { return reference }
    let head = request.head
    guard let scheme = head.scheme, let authority = head.authority, let path = head.path, path.first == "/"
    else {
      throw ExchangeError(
        .invalidRequest,
        "a request without a complete URL cannot be archived",
        advice: "create it with an absolute URL, or a reference"
      )
    }
    return "\(scheme)://\(authority)\(path)"
  }

  private static func withoutUserInformation(_ reference: String) -> String {
    guard UserInformation(of: reference) != nil, let slashes = reference.firstRange(of: "//") else {
      return reference
    }
    // After anything but a scheme, two slashes are part of a path (RFC 3986 4.2).
    let start = reference[..<slashes.lowerBound]
    guard start.isEmpty || start.last == ":" && !start.contains(where: { "/?#".contains($0) }) else {
      return reference
    }
    let rest = reference[slashes.upperBound...]
    let authority = rest.prefix { !"/?#".contains($0) }
    guard let at = authority.lastIndex(of: "@") else { return reference }
    return String(reference[..<slashes.upperBound] + rest[rest.index(after: at)...])
  }
}
