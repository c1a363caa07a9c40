#if Tool
  import ArgumentParser
  import StagecoachCore
  import StagecoachOrigin

  /// Where a command listens, and for which hosts it answers.
  struct ListeningArguments: ParsableArguments {
    /// A host and a port.
    struct Address: ExpressibleByArgument {
      let host: String
      let port: Int

      init(host: String, port: Int) {
        self.host = host
        self.port = port
      }

      init?(argument: String) {
        // Port 0 is none of a URL.
        let isAnyPort = argument.hasSuffix(":0")
        guard let address = HostAndPort(isAnyPort ? argument.dropLast(2) : argument[...]),
          let port = isAnyPort && address.port == nil ? 0 : address.port
        else { return nil }
        self.init(host: address.host, port: port)
      }
    }

    /// The sentences of the help of each command that listens.
    static let hosts = """
      Requests for another host than this machine, the service and those of --allow-host get 421, and requests of pages \
      of other sites 403.
      """
    static let pace = "Clients that send or read at less than 500 bytes a second are cut."

    @Option(
      help: ArgumentHelp(
        "Listen at this address; 127.0.0.1:0 by default. Port 0 lets the system choose one.",
        valueName: "host:port"
      )
    )
    var listen: Address?

    @Option(
      help: ArgumentHelp(
        "Answer requests for this host too, and those of its pages; may be given several times. Without a port, at any.",
        valueName: "host"
      )
    )
    var allowHost: [AllowedHost] = []

    /// A host, with or without a port.
    struct AllowedHost: ExpressibleByArgument {
      let place: HostAndPort

      init?(argument: String) {
        guard let place = HostAndPort(argument) else { return nil }
        self.place = place
      }
    }

    /// Answers requests until the task is cancelled.
    ///
    /// - Parameters:
    ///   - services: The services that the server stands for.
    ///   - notes: Lines that are printed below the address of the server.
    ///   - makeHandler: Makes what answers a request, from the authorities that are served.
    func serve(
      standingFor services: [TargetURI],
      notes: [String] = [],
      making makeHandler: (ServedAuthorities) -> HandlerServer.Handler
    ) async throws {
      let address = listen ?? Address(host: "127.0.0.1", port: 0)
      var limits = HandlerLimits()
      limits.connections = OpenFiles.raiseLimit()
      let server = try await HandlerServer.start(
        host: address.host,
        port: address.port,
        limits: limits,
        answeringFor: ServedAuthorities.Rules(
          services: services,
          allowed: allowHost.map(\.place),
          option: { "--allow-host \($0)" },
          report: { StandardError.write("stagecoach: \($0)\n") }
        ),
        making: makeHandler
      )
      let output = VerdictOutput()
      for line in ["listening on \(server.url)"] + notes { try await output.write(line: line) }
      while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
      // In a task of its own: this one is cancelled.
      await Task { await server.stop(patience: .milliseconds(1500)) }.value
    }
  }
#endif
