#if !Tool
  /// What stands for the servers with TLS, which are part of the trait `Tool`: in a build without them their checks are
  /// listed all the same, and say why they are not run.
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
