package import StagecoachCore

/// A stage that notes when a request passes it, down and up.
package struct Trace: Middleware {
  package let name: String
  package let log: Log<String>

  package init(_ name: String, _ log: Log<String> = Log()) {
    self.name = name
    self.log = log
  }

  package func handle(_ request: Request, next: Next) async throws -> Response {
    log.add("\(name)>")
    do {
      let response = try await next(request)
      log.add("<\(name)")
      return response
    } catch {
      log.add("!\(name)")
      throw error
    }
  }
}

/// A stage of a closure.
package struct Stage: Middleware {
  package let name: String
  package let body: @Sendable (Request, Next) async throws -> Response

  package init(_ name: String = "Stage", _ body: @escaping @Sendable (Request, Next) async throws -> Response)
  {
    self.name = name
    self.body = body
  }

  package func handle(_ request: Request, next: Next) async throws -> Response {
    try await body(request, next)
  }
}
