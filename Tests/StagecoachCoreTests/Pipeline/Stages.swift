import Stagecoach

/// A stage that notes when a request passes it, down and up.
struct Trace: Middleware {
  let name: String
  let log: Log<String>

  init(_ name: String, _ log: Log<String> = Log()) {
    self.name = name
    self.log = log
  }

  func handle(_ request: Request, next: Next) async throws -> Response {
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
struct Stage: Middleware {
  let name: String
  let body: @Sendable (Request, Next) async throws -> Response

  init(_ name: String = "Stage", _ body: @escaping @Sendable (Request, Next) async throws -> Response) {
    self.name = name
    self.body = body
  }

  func handle(_ request: Request, next: Next) async throws -> Response {
    try await body(request, next)
  }
}
