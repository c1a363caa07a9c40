import Foundation
import HTTPTypes
import StagecoachCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request in the engine's terms.
struct EngineRequest {
  private var urlRequest: URLRequest
  /// Whether the request asks for the end of its connection, which libcurl overlooks.
  let closesConnection: Bool
  private let length: Int64?

  /// - Throws: `ExchangeError` of kind `unsupported` for what the engine cannot send, or would send otherwise.
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
    // A year: timeouts are those of the request's options, on the transport's clock.
    urlRequest.timeoutInterval = 365 * 86_400
    urlRequest.allHTTPHeaderFields = Self.fields(of: request)
    #if canImport(Darwin)
      urlRequest.ask(for: request.options.networkUse, over: versions)
    #endif
  }

  /// A task that sends it with its content.
  func makeTask(in session: URLSession, with content: RequestContent) -> URLSessionDataTask {
    var urlRequest = urlRequest
    switch content {
    case .none:
      #if canImport(FoundationNetworking)
        // An announced chunked body that has no chunks would never end for libcurl.
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
        // The engine's own source of files pauses between its reads, and is not always woken from that: the upload
        // stands still then, while the engine's thread runs. A stream over a file never pauses.
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
      if let accepted = request.fields.first(of: .te), accepted.lowercased().contains("trailers") {
        throw refusal("on Linux does not survive trailer fields, which TE: \(accepted) asks for")
      }
    #endif
  }

  /// The fields; those that have a name in common become one, since the engine has one value for each name.
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
    /// A value of nothing but a blank makes libcurl leave a field out that it or the engine would add.
    private static let absent = " "

    /// What the engine adds to requests that do not have it.
    private static let unasked = [
      "Accept", "Accept-Encoding", "Accept-Language", "Connection", "Content-Type", "User-Agent",
    ]

    /// Fields that tell libcurl how to frame the body (RFC 9112 6).
    private static func frame(
      _ fields: inout [String: String],
      _ names: [String: String],
      for request: Request
    ) {
      if request.body.length == nil {
        // The engine knows the length by then, and would say it.
        fields[names["transfer-encoding"] ?? "Transfer-Encoding"] = "chunked"
      } else if request.body.isEmpty, names["content-length"] == nil, !expectsContent(request.method) {
        // The engine would say that there is content of length zero.
        fields["Content-Length"] = absent
      }
    }

    /// Methods whose requests say so when they have no content (RFC 9110 8.6).
    private static func expectsContent(_ method: HTTPRequest.Method) -> Bool {
      method == .post || method == .put || method == .patch
    }
  }
#endif
