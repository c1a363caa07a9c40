#if Images
  import HTTPTypes
  import StagecoachCore
  import StagecoachStages

  /// Whether a download may be answered by the cache, and kept in it.
  struct CacheUse: Sendable {
    let reads: Bool
    let writes: Bool

    init(_ request: Request) {
      let hasCredentials =
        request.options.credential != nil || !SensitiveFields.called(in: request.fields).isEmpty
        || request.fields.contains { request.options.sensitiveFields.contains($0.name) }
      let directives = Self.directives(request.fields)
      writes = !hasCredentials && !directives.contains("no-store")
      reads = writes && directives.isDisjoint(with: ["no-cache", "max-age=0"])
    }

    static func forbidsStoring(_ fields: HTTPFields) -> Bool {
      directives(fields).contains("no-store")
    }

    /// The directives of Cache-Control (RFC 9111 5.2) in lower case.
    private static func directives(_ fields: HTTPFields) -> Set<String> {
      let directives = fields[values: .cacheControl].lazy.flatMap { $0.split(separator: ",") }
      return Set(directives.map { $0.filter { !$0.isWhitespace }.lowercased() })
    }
  }
#endif
