#if Tool
  /// Requests that get no answer: `/hang`, `/close`.
  enum FailureRoutes {
    static let table: [String: Route] = [
      "/hang": Route { _, _ in .hang },
      "/close": Route { _, _ in .close },
    ]
  }
#endif
