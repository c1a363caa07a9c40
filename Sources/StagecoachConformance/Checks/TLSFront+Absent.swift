#if !Tool
  /// A stub for the TLS servers, which require the trait `Tool`: without it their checks are still listed, with the
  /// reason that they are not run.
  struct TLSFront {
    struct Configuration {
      enum Versions {
        case all, outdated, only12, only13
      }

      var chainPEM: String
      var keyPEM: String
      var protocols: [String] = []
      var clientRootsPEM: String?
      var versions = Versions.all
      var endsAbruptly = false
    }

    var port: Int { 0 }

    static func start(_ configuration: Configuration, to port: Int) async throws -> TLSFront {
      throw CheckNotRun(reason: "servers with TLS are part of the trait Tool")
    }

    func stop() {}
  }
#endif
