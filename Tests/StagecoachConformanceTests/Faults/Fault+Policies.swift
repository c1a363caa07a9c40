#if AsyncHTTPClient
  import HTTPTypes
  import Stagecoach
  import Synchronization

  extension Fault {
    /// Policies, which belong to stages.
    static let policies: [Fault] = [
      .again("one redirect is followed", noticedBy: ["109": "redirect: the server saw 2 requests"]) {
        request,
        response in
        guard (300..<400).contains(response.status.code), let location = response.fields[.location] else {
          return nil
        }
        var next = request
        next.head.path = location
        return next
      },
      .again(
        "a redirect of a POST is followed by a GET",
        noticedBy: ["109": "redirect of a POST: the server saw 2"]
      ) {
        request,
        response in
        guard response.status.code == 307, let location = response.fields[.location] else { return nil }
        var next = request
        (next.method, next.body) = (.get, .empty)
        next.head.path = location
        return next
      },
      .again("one 401 is answered", noticedBy: ["109": "challenge: the server saw 2 requests"]) {
        request,
        response in
        guard response.status == .unauthorized else { return nil }
        var next = request
        next.fields[.authorization] = "Basic YTpi"
        return next
      },
      .again("one 407 is answered", noticedBy: ["109": "challenge of a proxy: the server saw 2 requests"]) {
        request,
        response in
        guard response.status == .proxyAuthenticationRequired else { return nil }
        var next = request
        next.fields[.proxyAuthorization] = "Basic YTpi"
        return next
      },
      .again("a 503 is sent again", noticedBy: ["109": "errors of the server: the status is 200"]) {
        request,
        response in
        response.status == .serviceUnavailable ? request : nil
      },
      .again("a body that is empty is asked for again", noticedBy: ["058": "the server saw 4 requests"]) {
        request,
        response in
        response.body.length == 0 ? request : nil
      },
      .response("a redirect is thrown", noticedBy: ["109": "redirect: it failed"]) { response in
        guard (300..<400).contains(response.status.code) else { return }
        throw ExchangeError(.redirect(.tooMany), "there is a redirect")
      },
      .remembering("cookies are kept", noticedBy: ["109": "cookies: request 1: there is a field Cookie"]) {
        request,
        last in
        guard let cookie = last[.setCookie] else { return }
        request.fields[.cookie] = String(cookie.prefix { $0 != ";" })
      },
      .remembering(
        "a response is validated",
        noticedBy: ["109": "cache: request 1: there is a field If-None-Match"]
      ) {
        request,
        last in request.fields[.ifNoneMatch] = last[.eTag]
      },
      .remembering("a Referer is sent", noticedBy: ["021": "unexpected fields: [\"Referer\"]"]) {
        request,
        _ in
        request.fields[.referer] = "http://\(request.head.authority ?? "")/"
      },
      .sending("a response is cached", noticedBy: ["109": "cache: the body is \"one\""]) { parts in
        let cached = Held()
        return { request in
          if let bytes = cached.take() { return Response(.ok, body: .bytes(bytes)) }
          var response = try await parts.inner.send(request)
          guard response.fields[.cacheControl] == "max-age=3600" else { return response }
          let bytes = try await response.body.collect(upTo: 1000)
          cached.put(bytes)
          response.body = .bytes(bytes)
          return response
        }
      },
      .repeating("a POST is sent again after a reset", noticedBy: ["085b": "the POST was sent 2 times"]) {
        $0.method == .post
      },
      .repeating(
        "a GET is sent again after a reset",
        noticedBy: ["044": "a connection that no script is for"]
      ) {
        $0.method == .get
      },
    ]

    /// A fault that sends another request where a response asks for it.
    private static func again(
      _ name: String,
      noticedBy checks: KeyValuePairs<String, String>,
      _ next: @escaping @Sendable (Request, Response) -> Request?
    ) -> Fault {
      sending(name, noticedBy: checks) { parts in
        { request in
          let response = try await parts.inner.send(request)
          guard let next = next(request, response) else { return response }
          await response.body.discard()
          return try await parts.inner.send(next)
        }
      }
    }

    /// A fault that changes a request by the fields of the response before.
    private static func remembering(
      _ name: String,
      noticedBy checks: KeyValuePairs<String, String>,
      _ change: @escaping @Sendable (inout Request, HTTPFields) -> Void
    ) -> Fault {
      sending(name, noticedBy: checks) { parts in
        let memory = FieldMemory()
        return { request in
          var request = request
          change(&request, memory.fields)
          let response = try await parts.inner.send(request)
          memory.keep(response.fields)
          return response
        }
      }
    }

    /// A fault that sends a request again whose connection broke.
    private static func repeating(
      _ name: String,
      noticedBy checks: KeyValuePairs<String, String>,
      _ applies: @escaping @Sendable (Request) -> Bool
    ) -> Fault {
      sending(name, noticedBy: checks) { parts in
        { request in
          do {
            return try await parts.inner.send(request)
          } catch let error as ExchangeError where error.kind == .connectionReset && applies(request) {
            return try await parts.inner.send(request)
          }
        }
      }
    }
  }

  /// The fields of the last response.
  private final class FieldMemory: Sendable {
    private let last = Mutex(HTTPFields())

    var fields: HTTPFields { last.withLock { $0 } }

    func keep(_ fields: HTTPFields) { last.withLock { $0 = fields } }
  }
#endif
