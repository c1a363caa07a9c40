import HTTPTypes
public import StagecoachCore

#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

extension Request {
  /// Creates a request from the method, URL, fields and content of a `URLRequest`, for any transport. The timeout,
  /// cache policy and network restrictions of the `URLRequest` are not used; set the options of the request instead.
  ///
  /// ```swift
  /// let request = try Request(urlRequest)
  /// let users = try await client.value(for: request, as: .json([User].self))
  /// ```
  ///
  /// - Throws: `ExchangeError` of kind `invalidRequest` if the URL is not an absolute http or https URL, or the method
  ///   or a field is invalid; of kind `unsupported` if the content is a stream, which cannot be read twice.
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
      throw ExchangeError(.invalidRequest, "\(name) is not a valid method")
    }
    var fields = HTTPFields()
    // Sorted by name, because a dictionary has no order.
    for (name, value) in (urlRequest.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
      guard let name = HTTPField.Name(name) else {
        throw ExchangeError(.invalidRequest, "\(name) is not a valid field name")
      }
      fields.append(HTTPField(name: name, value: value))
    }
    let body = urlRequest.httpBody.map { Body.bytes(Bytes($0)) } ?? .empty
    try self.init(method, url: url, fields: fields, body: body)
  }
}
