#if Images
  import HTTPTypes
  import StagecoachCore

  /// What makes two downloads the same: the URL, the fields, and the options that affect how a request is sent.
  struct DownloadKey: Hashable, Sendable {
    /// The request with a resolved URL.
    let request: Request
    let cacheKey: ImageStore.Key
    private let fields: [HTTPField]

    /// - Throws: ``ExchangeError`` of kind `invalidRequest` if the URL is invalid.
    init(_ request: Request, base: TargetURI?) throws {
      var request = request
      try request.resolve(against: base)
      guard let scheme = request.head.scheme, let authority = request.head.authority, let path = request.head.path
      else {
        throw ExchangeError(
          .invalidRequest,
          "the request for an image has no URL",
          advice: "set scheme, authority and path of its head"
        )
      }
      self.request = request
      cacheKey = ImageStore.Key("\(scheme)://\(authority)\(path)", nil)
      fields = Array(request.fields)
    }

    static func == (left: DownloadKey, right: DownloadKey) -> Bool {
      left.cacheKey == right.cacheKey && left.fields == right.fields
        && left.request.options.agrees(with: right.request.options)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(cacheKey)
    }
  }
#endif
