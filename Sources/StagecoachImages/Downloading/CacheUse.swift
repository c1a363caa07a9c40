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
      let control = CacheControl(request: request.fields)
      writes = !hasCredentials && !control.isNoStore
      reads = writes && !control.isNoCache && control.maxAge != 0
    }

    static func forbidsStoring(_ fields: HTTPFields) -> Bool { CacheControl(response: fields).isNoStore }
  }
#endif
