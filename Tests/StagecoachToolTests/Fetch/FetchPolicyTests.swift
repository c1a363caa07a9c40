#if Tool
  import Foundation
  import StagecoachOrigin
  import Testing

  /// What the policy stages do for `fetch`.
  @Suite(.timeLimit(.minutes(15))) struct FetchPolicyTests {
    @Test func redirectsAreFollowedUnlessForbidden() async throws {
      let origin = try await Origin.start()
      let followed = try await ToolProcess.run("fetch", "\(origin.url)/redirect/302?to=/json", "--trace")
      #expect(followed.status == 0, "\(followed)")
      #expect(followed.text.contains("\"title\""))
      #expect(followed.errors.contains("302"))
      let kept = try await ToolProcess.run("fetch", "\(origin.url)/redirect/302?to=/json", "--no-follow")
      #expect(kept.status == 0, "\(kept)")
      #expect(!kept.text.contains("\"title\""))
      let short = try await ToolProcess.run("fetch", "\(origin.url)/redirect-chain/3", "--max-redirects", "2")
      #expect(short.status != 0)
      #expect(short.errors.contains("redirect.tooMany"), "\(short)")
      try await origin.stop()
    }

    @Test func aUserAnswersAChallenge() async throws {
      let origin = try await Origin.start()
      let url = "\(origin.url)/basic-auth/ada/secret"
      let right = try await ToolProcess.run("fetch", url, "--user", "ada:secret", "--trace")
      #expect(right.status == 0, "\(right)")
      #expect(!right.errors.contains("YWRhOnNlY3JldA"), "\(right)")
      let wrong = try await ToolProcess.run("fetch", url, "--user", "ada:wrong", "--retry", "0")
      #expect(wrong.status == 1, "\(wrong)")
      let strict = try await ToolProcess.run("fetch", url, "--user", "ada:secret", "--digest")
      #expect(strict.status == 1, "\(strict)")
      let bearer = try await ToolProcess.run("fetch", "\(origin.url)/bearer/t", "--bearer", "t")
      #expect(bearer.status == 0, "\(bearer)")
      try await origin.stop()
    }

    @Test func namesAndPasswordsComeFromAFile() async throws {
      let origin = try await Origin.start()
      let folder = try ScratchFolder()
      let file = try folder.write("netrc", Array("machine 127.0.0.1 login ada password secret\n".utf8))
      let right = try await ToolProcess.run(
        "fetch",
        "\(origin.url)/basic-auth/ada/secret",
        "--netrc",
        file
      )
      #expect(right.status == 0, "\(right)")
      let missing = try await ToolProcess.run("fetch", "\(origin.url)/json", "--netrc", file + ".none")
      #expect(missing.status == 4, "\(missing)")
      try await origin.stop()
    }

    @Test(arguments: ["jar.json", "jar.txt"])
    func cookiesAreKeptInAFile(name: String) async throws {
      let origin = try await Origin.start()
      let folder = try ScratchFolder()
      let jar = folder.path(name).path
      // A cookie of the session would not outlive the process.
      let field = "Set-Cookie=a%3D1%3B%20Path%3D%2F%3B%20Max-Age%3D1000"
      let set = try await ToolProcess.run("fetch", "\(origin.url)/headers?\(field)", "--cookie-jar", jar)
      #expect(set.status == 0, "\(set)")
      let sent = try await ToolProcess.run("fetch", "\(origin.url)/cookies", "--cookie-jar", jar)
      #expect(sent.status == 0, "\(sent)")
      #expect(try await origin.nextRequest(path: "/cookies")["Cookie"] == "a=1")
      try await origin.stop()
    }

    /// As with curl and browsers, a login lasts from one run to the next.
    @Test(arguments: ["jar.json", "jar.txt"])
    func cookiesOfTheSessionAreKeptToo(name: String) async throws {
      let origin = try await Origin.start()
      let jar = try ScratchFolder()
      let path = jar.path(name).path
      let field = "Set-Cookie=a%3D1%3B%20Path%3D%2F"
      for url in ["\(origin.url)/headers?\(field)", "\(origin.url)/json", "\(origin.url)/cookies"] {
        let outcome = try await ToolProcess.run("fetch", url, "--cookie-jar", path)
        #expect(outcome.status == 0, "\(outcome)")
      }
      #expect(try await origin.nextRequest(path: "/cookies")["Cookie"] == "a=1")
      try await origin.stop()
    }

    @Test func refusesAJarFileOfOtherContent() async throws {
      let folder = try ScratchFolder()
      let content = Array("remember the milk\n".utf8)
      for name in ["notes.txt", "notes.json"] {
        let file = try folder.write(name, content)
        let outcome = try await ToolProcess.run("fetch", "http://127.0.0.1:1/", "--cookie-jar", file)
        #expect(outcome.status == 4, "\(outcome)")
        #expect(try Array(Data(contentsOf: folder.path(name))) == content)
      }
    }

    @Test func failuresAreTriedAgain() async throws {
      let origin = try await Origin.start()
      let tried = try await ToolProcess.run("fetch", "\(origin.url)/retry/2?key=tool&after=0")
      #expect(tried.status == 0, "\(tried)")
      #expect(tried.text.contains("3"))
      let once = try await ToolProcess.run("fetch", "\(origin.url)/retry/1?key=once&after=0", "--retry", "0")
      #expect(once.status == 1, "\(once)")
      try await origin.stop()
    }

    @Test(arguments: [
      ["--user", "ada"], ["--digest"], ["--user", "a:b", "--bearer", "t"], ["--max-redirects", "-1"],
      ["--no-follow", "--max-redirects", "1"], ["--retry", "x"], ["--retry", "9223372036854775807"],
      ["--user", "SECRET"], ["-H", "Authorization Bearer SECRET"], ["--proxy", "http://u:SECRET@p:99999"],
      ["--json", #"{"password":"SECRET""#], ["--form", "SECRET"], ["--query", "SECRET"],
      ["--part", "SECRET"],
      ["--schema", "/x", "--as", "json"],
    ])
    func whatMakesNoSenseIsRefused(arguments: [String]) async throws {
      let outcome = try await ToolProcess(["fetch", "http://127.0.0.1:1/"] + arguments).outcome()
      #expect(outcome.status == 2, "\(outcome)")
      // Standard error ends up in logs.
      #expect(!outcome.errors.contains("SECRET"), "\(outcome)")
    }
  }
#endif
