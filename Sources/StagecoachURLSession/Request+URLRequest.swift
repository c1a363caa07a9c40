import HTTPTypes
public import StagecoachCore

#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

extension Request {
  /// What a `URLRequest` of Foundation asks for, over whatever transport: its method, URL, fields and content. Its
  /// timeout, its cache policy and what it allows networks to be are URLSession's; options of the request say that
  /// here.
  ///
  /// ```swift
  /// let request = try Request(urlRequest)
  /// let users = try await client.value(for: request, as: .json([User].self))
  /// ```
  ///
  /// - Throws: `ExchangeError` of kind `invalidRequest` if it has no absolute http or https URL, or a method or a
  ///   field that cannot be sent; of kind `unsupported` if its content is a stream, which nobody could read twice.
  public init(_ urlRequest: URLRequest) throws {
    guard let url = urlRequest.url else {
      throw ExchangeError(.invalidRequest, "the URLRequest has no URL")
    }
    guard urlRequest.httpBodyStream == nil else {
      throw ExchangeError(
        .unsupported,
        "the content of the URLRequest is an InputStream",
        advice: "give the request a body of its own, such as .file(path)"
      )
    }
    let name = urlRequest.httpMethod ?? "GET"
    guard let method = HTTPRequest.Method(rawValue: name) else {
      throw ExchangeError(.invalidRequest, "\(name) is no method of HTTP")
    }
    var fields = HTTPFields()
    // Of a dictionary there is no order to keep: the names in theirs.
    for (name, value) in (urlRequest.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
      guard let name = HTTPField.Name(name) else {
        throw ExchangeError(.invalidRequest, "\(name) is no name of a field")
      }
      fields.append(HTTPField(name: name, value: value))
    }
    let body = urlRequest.httpBody.map { Body.bytes(Bytes($0)) } ?? .empty
    try self.init(method, url: url, fields: fields, body: body)
  }
}
