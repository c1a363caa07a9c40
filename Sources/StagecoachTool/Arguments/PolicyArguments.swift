#if Tool
  import ArgumentParser
  import Stagecoach
  import StagecoachSystem

  /// The options of `fetch` that say what the policy stages do.
  struct PolicyArguments: ParsableArguments {
    @Option(
      name: .customLong("user"),
      parsing: .unconditional,
      help: ArgumentHelp(
        "Credentials for the server of the URL, sent at once with Basic, which reveals the password in transit if "
          + "the URL is http, and with Digest if the server asks for that. The same as http://name:password@host/, "
          + "which it overrides.",
        valueName: "name:password"
      )
    )
    var userArgument: Concealed<UserArgument>?

    @Flag(help: "Only use Digest, once the server asks for it, which never reveals the password.")
    var digest = false

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "Send a bearer token to the server, over https or to this machine.",
        valueName: "token"
      )
    )
    var bearer: String?

    @Option(
      help: ArgumentHelp("Use the names and passwords of a .netrc file.", valueName: "file")
    )
    var netrc: String?

    @Option(
      help: ArgumentHelp("The maximum number of redirects to follow; 20 by default.", valueName: "count")
    )
    var maxRedirects: Int?

    @Flag(help: "Do not follow redirects, but return the redirect as the response.")
    var noFollow = false

    @Option(
      help: ArgumentHelp(
        "Keep cookies in a file, including session cookies, only accessible to its owner: JSON, or the format of "
          + "Netscape and curl if the name ends in .txt.",
        valueName: "file"
      )
    )
    var cookieJar: String?

    @Option(
      help: ArgumentHelp(
        "The maximum number of retries, if a retry is safe and may help; 2 by default.",
        valueName: "count"
      )
    )
    var retry: Int?

    /// The most that `--retry` takes.
    private static let mostRetries = 1000

    private func user() throws -> UserArgument? {
      try userArgument?.value(of: "--user", as: "name:password")
    }

    func validate() throws {
      let user = try user()
      let credentials = [("--user", user != nil), ("--bearer", bearer != nil), ("--netrc", netrc != nil)]
        .filter(\.1).map(\.0)
      guard credentials.count <= 1 else {
        throw ValidationError("\(credentials.joined(separator: " and ")) cannot be combined")
      }
      if let maxRedirects, maxRedirects < 0 { throw ValidationError("--max-redirects must not be negative") }
      if noFollow, maxRedirects != nil {
        throw ValidationError("--no-follow and --max-redirects cannot be combined")
      }
      if let retry, !(0...Self.mostRetries).contains(retry) {
        throw ValidationError("--retry must be between 0 and \(Self.mostRetries)")
      }
    }

    /// Checks what has to do with the URL.
    func validate(with url: String) throws {
      guard digest, userArgument == nil, netrc == nil, !Self.holdsCredential(url) else { return }
      throw ValidationError("--digest requires --user, --netrc, or a name and a password in the URL")
    }

    /// Returns whether a URL contains a name and a password.
    private static func holdsCredential(_ url: String) -> Bool {
      do {
        _ = try TargetURI(parsing: url)
        return false
      } catch {
        return error.reason == .userInformation
      }
    }

    /// Sets what a request can bring along.
    func apply(to request: inout Request) throws {
      let inURL = bearer == nil ? request.reference.flatMap { UserInformation(of: $0) } : nil
      if let user = try user() ?? inURL.map({ UserArgument(name: $0.user, password: $0.password ?? "") }) {
        request.options.credential = Credential(
          user: user.name,
          password: user.password,
          isPreemptive: !digest
        )
        // A password for an http URL was given deliberately, so it may be sent there. It is bound to that origin.
        request.options.allowsPlainCredentials = true
      }
      if let bearer { request.options.credential = Credential(token: bearer) }
      if digest { request.options.authenticationSchemes = ["Digest"] }
      if let maxRedirects { request.options.redirectLimit = maxRedirects }
      if noFollow {
        request.options.redirectPolicy = .refuse
        request.options.expectedContent = Acceptance(statuses: [200..<400])
      }
      if let retry { request.options.retryPolicy = RetryPolicy(attempts: retry + 1) }
    }

    /// Runs work with a client over the standard pipeline, with the stages that store data in files, which is saved
    /// afterwards.
    ///
    /// - Parameter edit: Changes the pipeline.
    /// - Throws: What the work throws; `ExchangeError` of kind `file`.
    func withClient<Output>(
      over transport: any Transport,
      monitors: [any EventMonitor] = [],
      editing edit: (inout Pipeline) throws -> Void = { _ in },
      run work: (Client) async throws -> Output
    ) async throws -> Output {
      var (pipeline, cookies) = try await pipeline(over: transport)
      try edit(&pipeline)
      let client = try Client(pipeline, configuration: .init(monitors: monitors))
      // Cookies of a failed exchange are saved too.
      let output: Output
      do {
        output = try await work(client)
      } catch {
        do {
          try await cookies?.save()
        } catch let second {
          // The first error is the original reason.
          Failures.tell(second)
        }
        throw error
      }
      try await cookies?.save()
      return output
    }

    private func pipeline(over transport: any Transport) async throws -> (
      pipeline: Pipeline, cookies: CookieFile?
    ) {
      var pipeline = Pipeline.standard(over: transport)
      if let netrc {
        let file = try await BlockingQueue.files.run { try NetrcFile(contentsOf: netrc) }
        let store = NetrcCredentialStore(file)
        try pipeline.replace(Authentication.self, with: Authentication(store: store))
      }
      guard let cookieJar else { return (pipeline, nil) }
      let cookies = try await CookieFile(path: cookieJar)
      try pipeline.replace(Cookies.self, with: Cookies(jar: cookies.jar))
      return (pipeline, cookies)
    }
  }

  /// A jar that is kept in a file.
  struct CookieFile {
    let jar = CookieJar()
    private let path: String
    private let format: CookieJar.FileFormat

    /// Reads the file if there is one.
    ///
    /// - Throws: `ExchangeError` of kind `file`.
    init(path: String) async throws {
      self.path = path
      format = path.hasSuffix(".txt") ? .netscape : .json
      let content = try await jar.load(from: path, as: format, mustExist: false)
      // The file will be written anew, and may be another one than was meant.
      guard content.stored > 0 || !content.skipped.contains(where: { $0.reason == .malformed }) else {
        throw ExchangeError(
          .file,
          "\(path) contains no cookies",
          advice: "use another file for --cookie-jar, or one that does not exist yet"
        )
      }
    }

    /// Writes the file.
    ///
    /// - Throws: `ExchangeError` of kind `file`.
    func save() async throws {
      try await jar.save(to: path, as: format, includingSession: true)
    }
  }

  /// A name and a password, as `--user` takes them.
  struct UserArgument: ExpressibleByArgument {
    let name: String
    let password: String

    init(name: String, password: String) {
      (self.name, self.password) = (name, password)
    }

    init?(argument: String) {
      guard let colon = argument.firstIndex(of: ":") else { return nil }
      name = String(argument[..<colon])
      password = String(argument[argument.index(after: colon)...])
    }
  }
#endif
