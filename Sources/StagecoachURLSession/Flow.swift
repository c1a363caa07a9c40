#if canImport(FoundationNetworking)
  import FoundationNetworking

  /// Nothing: on Linux a task that was suspended is sent again when it is resumed.
  struct Flow: Sendable {
    func pause(_ task: URLSessionTask) {}
    func goOn(_ task: URLSessionTask) {}
  }
#endif
