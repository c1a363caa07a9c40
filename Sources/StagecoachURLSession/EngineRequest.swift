import Foundation
import HTTPTypes
import StagecoachCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request in the engine's form.
struct EngineRequest {
  private var urlRequest: URLRequest
  /// Whether the request asks to close its connection, which libcurl ignores.
  let closesConnection: Bool
  private let length: Int64?

  /// - Throws: `ExchangeError` of kind `unsupported` if the engine cannot send the request, or would change it.
  init(_ request: Request, over versions: HTTPVersions) throws {
    try Self.check(request)
    closesConnection = request.fields[values: .connection].contains { value in
      value.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }.contains("close")
    }
    length = request.body.length
    urlRequest = URLRequest(url: try EngineTarget.url(for: request.head))
    urlRequest.httpMethod = request.method.rawValue
    guard urlRequest.httpMethod == request.method.rawValue else {
      throw Self.refusal("sends the method \(request.method.rawValue) as \(urlRequest.httpMethod ?? "")")
    }
    urlRequest.httpShouldHandleCookies = false
    // A year: the timeouts of the request's options are enforced here, on the transport's clock.
    urlRequest.timeoutInterval = 365 * 86_400
    urlRequest.allHTTPHeaderFields = Self.fields(of: request)
    #if canImport(Darwin)
      urlRequest.ask(for: request.options.networkUse, over: versions)
    #endif
  }

  /// Creates a task that sends the request with its content.
  func makeTask(in session: URLSession, with content: RequestContent) -> URLSessionDataTask {
    var urlRequest = urlRequest
    switch content {
    case .none:
      #if canImport(FoundationNetworking)
        // libcurl would never end a chunked body without chunks.
        if urlRequest.value(forHTTPHeaderField: "Transfer-Encoding") != nil {
          urlRequest.setValue(Self.absent, forHTTPHeaderField: "Transfer-Encoding")
        }
      #endif
      return session.dataTask(with: urlRequest)
    case .data(let data):
      urlRequest.httpBody = data
      return session.dataTask(with: urlRequest)
    case .file(let file, _):
      #if canImport(FoundationNetworking)
        // The engine's file source pauses between reads and is not always woken: the upload then stalls while the
        // engine's thread spins. A stream over a file never pauses.
        urlRequest.httpBodyStream = InputStream(url: file.url)
        if let length {
          urlRequest.setValue("\(length)", forHTTPHeaderField: "Content-Length")
          urlRequest.setValue(Self.absent, forHTTPHeaderField: "Transfer-Encoding")
        }
        return session.dataTask(with: urlRequest)
      #else
        return session.uploadTask(with: urlRequest, fromFile: file.url)
      #endif
    }
  }

  private static func refusal(_ what: String) -> ExchangeError {
    ExchangeError(.unsupported, "URLSession \(what)", advice: "use another transport for it")
  }

  private static func check(_ request: Request) throws {
    guard !request.body.hasTrailers else { throw refusal("sends no trailer fields") }
    let isBodyless = request.body.length == 0
    guard isBodyless || request.method != .get && request.method != .head else {
      throw refusal("sends no content with \(request.method.rawValue)")
    }
    #if canImport(FoundationNetworking)
      for field in request.fields where !field.isUTF8 {
        throw refusal("cannot send the value of \(field.name), which is not UTF-8")
      }
      if let accepted = request.fields.first(of: .te), accepted.lowercased().contains("trailers") {
        throw refusal("on Linux does not survive trailer fields, which TE: \(accepted) asks for")
      }
    #endif
  }

  /// The fields. Fields of the same name are joined, because the engine has one value per name.
  private static func fields(of request: Request) -> [String: String] {
    var fields: [String: String] = [:]
    var names: [String: String] = [:]
    let all = request.head.headerFields
    fields.reserveCapacity(all.count + 8)
    for index in all.startIndex..<all.endIndex {
      let field = all[index]
      let name = names[field.name.canonicalName] ?? field.name.rawName
      names[field.name.canonicalName] = name
      let separator = field.name == .cookie ? "; " : ", "
      let text = FieldText.text(of: field)
      fields[name] = fields[name].map { "\($0)\(separator)\(text)" } ?? text
    }
    #if canImport(FoundationNetworking)
      frame(&fields, names, for: request)
      for name in unasked where names[name.lowercased()] == nil { fields[name] = absent }
    #endif
    return fields
  }
}

#if canImport(FoundationNetworking)
  extension EngineRequest {
    /// A value of a single blank makes libcurl omit a field that it or the engine would add.
    private static let absent = " "

    /// The fields that the engine adds to requests without them.
    private static let unasked = [
      "Accept", "Accept-Encoding", "Accept-Language", "Connection", "Content-Type", "User-Agent",
    ]

    /// Sets the fields that make libcurl frame the body (RFC 9112 6).
    private static func frame(
      _ fields: inout [String: String],
      _ names: [String: String],
      for request: Request
    ) {
      if request.body.length == nil {
        // The engine knows the length by then, and would send it.
        fields[names["transfer-encoding"] ?? "Transfer-Encoding"] = "chunked"
      } else if request.body.isEmpty, names["content-length"] == nil, !expectsContent(request.method) {
        // The engine would send a Content-Length of zero.
        fields["Content-Length"] = absent
      }
    }

    /// Whether requests of a method declare that they have no content (RFC 9110 8.6).
    private static func expectsContent(_ method: HTTPRequest.Method) -> Bool {
      method == .post || method == .put || method == .patch
    }
  }
#endif

#if canImport(FoundationNetworking)
  extension HTTPField {
    fileprivate var isUTF8: Bool {
      withUnsafeBytesOfValue { octets in
        octets.allSatisfy { $0 < 0x80 } || String(validating: octets, as: UTF8.self) != nil
      }
    }
  }
#endif
