#if Tool
  import Foundation
  import StagecoachConformance
  import StagecoachOrigin
  import Testing

  @testable import StagecoachTool

  /// How `fetch` connects, and whom it trusts.
  @Suite struct FetchConnectionTests {
    private static let okay = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok"

    /// A proxy that answers a CONNECT and then speaks for the origin itself.
    private func proxy() throws -> WireServer {
      try WireServer { wire in
        try wire.readHead()
        try wire.send("HTTP/1.1 200 Connection established\r\n\r\n")
        try wire.readHead()
        try wire.send(Self.okay)
        try wire.hold()
      }
    }

    @Test func fetchesThroughAGivenProxy() async throws {
      let proxy = try proxy()
      defer { proxy.stop() }
      let outcome = try await ToolProcess.run(
        "fetch",
        "http://stagecoach.invalid/",
        "--proxy",
        "http://127.0.0.1:\(proxy.port)"
      )
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.text.hasPrefix("ok"))
    }

    @Test func fetchesThroughTheProxyOfTheEnvironment() async throws {
      let proxy = try proxy()
      defer { proxy.stop() }
      let outcome = try await ToolProcess.run(
        "fetch",
        "http://stagecoach.invalid/",
        environment: ["http_proxy": "127.0.0.1:\(proxy.port)"]
      )
      #expect(outcome.status == 0, "\(outcome)")
    }

    @Test(arguments: [["no_proxy": "localhost,127.0.0.0/8"], ["REQUEST_METHOD": "GET"]])
    func fetchesDirectlyWhereTheEnvironmentSaysSo(variables: [String: String]) async throws {
      let origin = try await Origin.start()
      // Under CGI the name in upper case is what a client may have set.
      let name = variables["REQUEST_METHOD"] == nil ? "http_proxy" : "HTTP_PROXY"
      let outcome = try await ToolProcess.run(
        "fetch",
        "\(origin.url)/json",
        environment: variables.merging([name: "127.0.0.1:1"]) { $1 }
      )
      #expect(outcome.status == 0, "\(outcome)")
      let direct = try await ToolProcess.run(
        "fetch",
        "\(origin.url)/json",
        "--proxy",
        "none",
        environment: ["http_proxy": "127.0.0.1:1"]
      )
      #expect(direct.status == 0, "\(direct)")
      try await origin.stop()
    }

    @Test func aVariableThatNamesNoProxyIsSaid() async throws {
      let outcome = try await ToolProcess.run(
        "fetch",
        "http://127.0.0.1:1/",
        environment: ["http_proxy": "ftp://proxy"]
      )
      #expect(outcome.status == 2, "\(outcome)")
      #expect(outcome.errors.contains("http_proxy") && outcome.errors.contains("unsupported scheme"))
    }

    @Test func fetchesThroughAUnixSocket() async throws {
      var configuration = Origin.Configuration()
      let path = "/tmp/stagecoach-\(UInt64.random(in: 0 ... .max)).sock"
      configuration.unixSocketPath = path
      let origin = try await Origin.start(configuration)
      let outcome = try await ToolProcess.run(
        "fetch",
        "http://example.com/echo",
        "--unix-socket",
        path,
        "--transport",
        "asynchttpclient",
        "--trace",
        environment: ["http_proxy": "127.0.0.1:1"]
      )
      #expect(outcome.status == 0, "\(outcome)")
      #expect(outcome.errors.contains("connection \(path)"))
      #expect(try await origin.nextRequest(path: "/echo")["Host"] == "example.com")
      try await origin.stop()
    }

    // MARK: Trust

    private func withSecureOrigin(_ body: (String, ScratchFolder) async throws -> Void) async throws {
      let folder = try ScratchFolder()
      let identity = try SelfSigned(in: folder)
      var configuration = Origin.Configuration()
      configuration.tls = .init(
        certificateChain: .file(identity.certificate),
        privateKey: .file(identity.key)
      )
      let origin = try await Origin.start(configuration)
      try await body("https://localhost:\(origin.port)/json", folder)
      try await origin.stop()
    }

    @Test func aCertificateIsTrustedIfItsIssuerIs() async throws {
      try await withSecureOrigin { url, folder in
        let refused = try await ToolProcess.run("fetch", url)
        #expect(refused.status == 3)
        #expect(refused.errors.contains("[tls.untrusted]"))
        let advice = refused.errors.split(separator: "\n").first { $0.contains("advice:") } ?? ""
        #expect(advice.contains("--cacert") && advice.contains("expired") && !advice.contains("roots"))
        #expect(!refused.errors.contains(".cc:"), "\(refused)")
        let certificate = folder.path("certificate.pem").path
        let trusted = try await ToolProcess.run("fetch", url, "--cacert", certificate)
        #expect(trusted.status == 0, "\(trusted)")
        let insecure = try await ToolProcess.run("fetch", url, "--insecure")
        #expect(insecure.status == 0, "\(insecure)")
      }
    }

    @Test func anotherPublicKeyThanThePinnedIsRefused() async throws {
      try await withSecureOrigin { url, folder in
        let certificate = folder.path("certificate.pem").path
        let wrong = "sha256/\(Data(repeating: 1, count: 32).base64EncodedString())"
        let refused = try await ToolProcess.run("fetch", url, "--cacert", certificate, "--pin", wrong)
        #expect(refused.status == 3)
        #expect(refused.errors.contains("[tls.pinMismatch]"))
        // The error tells the pin that would match.
        let line = refused.errors.split(separator: "\n").first { $0.contains("(localhost)") }
        let right = line?.split(separator: " ").first { $0.hasPrefix("sha256/") }
        let accepted = try await ToolProcess.run(
          "fetch",
          url,
          "--cacert",
          certificate,
          "--pin",
          wrong,
          "--pin",
          String(try #require(right))
        )
        #expect(accepted.status == 0, "\(accepted)")
      }
    }

    @Test func anIdentityIsReadFromItsFiles() async throws {
      try await withSecureOrigin { url, folder in
        let (certificate, key) = (folder.path("certificate.pem").path, folder.path("key.pem").path)
        let outcome = try await ToolProcess.run(
          "fetch",
          url,
          "--cacert",
          certificate,
          "--cert",
          certificate,
          "--key",
          key
        )
        #expect(outcome.status == 0, "\(outcome)")
        let without = try await ToolProcess.run("fetch", url, "--cert", certificate)
        #expect(without.status == 4, "\(without)")
        #expect(without.errors.contains("private key"))
      }
    }

    /// Keys that openssl makes beside that of the certificate.
    /// The commands that make a key, what the error says of it, and a transport.
    private static let unusableKeys = [
      ("openssl pkey -in \"$0/key.pem\" -aes128 -passout pass:x -out \"$0/other.pem\"", "encrypted"),
      ("openssl ec -in \"$0/key.pem\" -aes128 -passout pass:x -out \"$0/other.pem\"", "encrypted"),
      ("openssl ecparam -genkey -name prime256v1 -noout -out \"$0/other.pem\"", "does not match"),
      ("openssl genpkey -algorithm ed25519 -out \"$0/other.pem\"", "does not match"),
    ].flatMap { command, reason in
      TransportName.allCases.filter { $0 != .urlSession }.map { (command, reason, $0.rawValue) }
    }

    @Test(arguments: unusableKeys)
    func aKeyThatCannotBeUsedIs4(command: String, reason: String, transport: String) async throws {
      try await withSecureOrigin { url, folder in
        let openssl = Process()
        openssl.executableURL = URL(filePath: "/bin/sh")
        openssl.arguments = ["-c", command, folder.path("").path]
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        try #require(openssl.terminationStatus == 0)
        let (certificate, key) = (folder.path("certificate.pem").path, folder.path("other.pem").path)
        let outcome = try await ToolProcess.run(
          "fetch",
          url,
          "--cacert",
          certificate,
          "--cert",
          certificate,
          "--key",
          key,
          "--transport",
          transport
        )
        #expect(outcome.status == 4, "\(outcome)")
        #expect(outcome.errors.contains(reason), "\(outcome)")
        #expect(!outcome.errors.contains("free space"), "\(outcome)")
      }
    }

    @Test func aMissingFileIsALocalFile() async throws {
      let outcome = try await ToolProcess.run("fetch", "https://localhost:1/", "--cacert", "/no/such/file")
      #expect(outcome.status == 4, "\(outcome)")
    }

    @Test(arguments: [
      ["--proxy", "ftp://proxy"], ["--proxy", ""], ["--transport", "pigeon"], ["--pin", "sha256/x"],
      ["--key", "k.pem"], ["--insecure", "--cacert", "a.pem"],
      ["--unix-socket", "/tmp/s", "--proxy", "localhost"],
      ["--proxy-digest"], ["--proxy-digest", "--proxy", "localhost:3128"],
      ["--proxy-digest", "--proxy", "http://me:pw@localhost:3128"],
    ])
    func whatCannotBeMeantIsUsage(arguments: [String]) async throws {
      let outcome = try await ToolProcess(["fetch", "http://localhost/"] + arguments).outcome()
      #expect(outcome.status == 2, "\(outcome)")
    }
  }
#endif
