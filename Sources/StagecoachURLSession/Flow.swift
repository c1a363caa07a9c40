#if canImport(FoundationNetworking)
  import FoundationNetworking

  /// Does nothing, because on Linux a suspended task is sent again when it is resumed.
  struct Flow: Sendable {
    func pause(_ task: URLSessionTask) {}
    func goOn(_ task: URLSessionTask) {}
  }
#endif
