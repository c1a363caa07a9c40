#if Tool
  import StagecoachOrigin
  import Testing

  /// How `fetch` answers who asks.
  @Suite(.timeLimit(.minutes(15))) struct FetchAuthenticationTests {
    private static func withOrigin(_ body: (Origin) async throws -> Void) async throws {
      let origin = try await Origin.start()
      do { try await body(origin) } catch { Issue.record(error) }
      try await origin.stop()
    }

    /// The URL of an origin with user information.
    private static func url(_ origin: Origin, _ userInformation: String, _ path: String) -> String {
      "http://\(userInformation)@127.0.0.1:\(origin.port)\(path)"
    }

    /// The scheme of the credentials in each request that the origin saw.
    private static func schemes(_ origin: Origin) -> [String?] {
      origin.requests.map { $0["Authorization"]?.split(separator: " ").first.map(String.init) }
    }

    @Test(
      arguments: [
        ("/basic-auth/ada/secret", [], ["Basic"]), ("/digest-auth/ada/secret", [], ["Basic", "Digest"]),
        ("/digest-auth/ada/secret?algorithm=MD5", ["--digest"], [nil, "Digest"]),
        ("/digest-auth/ada/secret?algorithm=SHA-512-256&qop=auth-int", ["--digest"], [nil, "Digest"]),
      ] as [(String, [String], [String?])]
    )
    func aUserIsSentAtOnceAndAnswersWhateverIsAsked(path: String, options: [String], schemes: [String?])
      async throws
    {
      try await Self.withOrigin { origin in
        let outcome = try await ToolProcess(
          ["fetch", "\(origin.url)\(path)", "--user", "ada:secret"] + options
        ).outcome()
        #expect(outcome.status == 0, "\(outcome)")
        #expect(Self.schemes(origin) == schemes)
      }
    }

    @Test func aUserIsNotSentToAnotherOrigin() async throws {
      try await Self.withOrigin { origin in
        try await Self.withOrigin { other in
          let to = "\(other.url)/redirect/302?to=\(origin.url)/status/204"
          let url = "\(origin.url)/redirect/302?to=\(to.replacing("?", with: "%3F"))"
          let outcome = try await ToolProcess.run("fetch", url, "--user", "ada:secret")
          #expect(outcome.status == 0, "\(outcome)")
          #expect(Self.schemes(origin) == ["Basic", nil])
          #expect(Self.schemes(other) == [nil])
        }
      }
    }

    @Test func digestAloneRefusesBasic() async throws {
      try await Self.withOrigin { origin in
        let url = "\(origin.url)/basic-auth/ada/secret"
        let outcome = try await ToolProcess.run("fetch", url, "--user", "ada:secret", "--digest", "--trace")
        #expect(outcome.status == 1, "\(outcome)")
        #expect(Self.schemes(origin) == [nil])
        #expect(
          outcome.errors.contains("challenge not answered: none of its schemes is supported"),
          "\(outcome)"
        )
      }
    }

    // MARK: In the URL

    @Test(arguments: [
      ("ada:secret", "/basic-auth/ada/secret", ["Basic"]),
      ("ada:secret", "/digest-auth/ada/secret", ["Basic", "Digest"]),
      ("a%64a:p%40ss%2F", "/basic-auth/ada/p@ss%2F", ["Basic"]),
    ])
    func userInformationIsAUser(userInformation: String, path: String, schemes: [String]) async throws {
      try await Self.withOrigin { origin in
        let url = Self.url(origin, userInformation, path)
        let outcome = try await ToolProcess.run("fetch", url, "--trace", "--report", "json")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(Self.schemes(origin) == schemes)
        #expect(origin.requests.allSatisfy { $0.target == path && $0["Host"] == "127.0.0.1:\(origin.port)" })
        #expect(!outcome.description.contains("\(userInformation)@"), "\(outcome)")
      }
    }

    @Test func theOptionComesBeforeTheURL() async throws {
      try await Self.withOrigin { origin in
        let url = Self.url(origin, "eve:other", "/basic-auth/ada/secret")
        let outcome = try await ToolProcess.run("fetch", url, "--user", "ada:secret")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(Self.schemes(origin) == ["Basic"])
        let token = try await ToolProcess.run(
          "fetch",
          Self.url(origin, "eve:other", "/bearer/t"),
          "--bearer",
          "t"
        )
        #expect(token.status == 0, "\(token)")
      }
    }

    @Test func theURLComesBeforeTheFile() async throws {
      let folder = try ScratchFolder()
      let file = try folder.write("netrc", Array("machine 127.0.0.1 login eve password other\n".utf8))
      try await Self.withOrigin { origin in
        let url = Self.url(origin, "ada:secret", "/digest-auth/ada/secret")
        let outcome = try await ToolProcess.run("fetch", url, "--netrc", file, "--digest")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(Self.schemes(origin) == [nil, "Digest"])
      }
    }

    @Test func digestAloneRefusesBasicForTheURLToo() async throws {
      try await Self.withOrigin { origin in
        let url = Self.url(origin, "ada:secret", "/basic-auth/ada/secret")
        let outcome = try await ToolProcess.run("fetch", url, "--digest")
        #expect(outcome.status == 1, "\(outcome)")
        #expect(Self.schemes(origin) == [nil])
        #expect(!outcome.errors.contains("secret@"), "\(outcome)")
      }
    }

    @Test(arguments: [
      "http://ada:secret@127.0.0.1:1/", "http://ada:secret@127.0.0.1:x/", "http://ada:secret@",
    ])
    func aFailureDoesNotShowIt(url: String) async throws {
      for options in [[], ["--trace"], ["--report", "json"]] {
        let outcome = try await ToolProcess(["fetch", url, "--retry", "0"] + options).outcome()
        #expect(outcome.status == (url.hasSuffix(":1/") ? 3 : 2), "\(outcome)")
        #expect(!outcome.description.contains("secret"), "\(outcome)")
      }
    }

    @Test func ignoresUserInformationInALocation() async throws {
      try await Self.withOrigin { origin in
        let to = "http://ada:secret@127.0.0.1:\(origin.port)/basic-auth/ada/secret"
        let outcome = try await ToolProcess.run("fetch", "\(origin.url)/redirect/302?to=\(to)", "--trace")
        #expect(outcome.status == 1, "\(outcome)")
        #expect(Self.schemes(origin) == [nil, nil])
        #expect(outcome.errors.contains("without the user information of its Location"), "\(outcome)")
      }
    }
  }
#endif
