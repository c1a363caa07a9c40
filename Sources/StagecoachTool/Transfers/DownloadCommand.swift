#if Tool
  import ArgumentParser
  import Foundation
  import Stagecoach
  import StagecoachTransfers

  /// `stagecoach download`: a file that is complete or not there, from where the last attempt stopped.
  struct DownloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "download",
      abstract: "Download a file, and go on where it stopped.",
      discussion: """
        An interrupted download keeps what came in FILE.part, and the same command goes on from there, if the \
        server's file has a version (a strong ETag, or a Last-Modified) and is still the same. FILE appears when it \
        is complete, replacing one that is there. It is what the server published: no content coding is asked for, \
        and none is undone.

        Without --output the file goes to the current folder, under the name that the server or the URL gives it, and \
        its path is printed. A file that is there is never replaced by such a name: the new one gets a number.
        """
    )

    @Argument(help: "An absolute http or https URL.")
    var url: String

    @Option(help: ArgumentHelp("The file to write.", valueName: "file"))
    var output: String?

    @Option(
      help: ArgumentHelp(
        "Fetch this many parts at the same time, from 1 to 32, if the server can send parts and each has at least "
          + "1 MiB. Where the server refuses that many connections, fewer are used.",
        valueName: "count"
      )
    )
    var parallel = 1

    @Option(
      help: ArgumentHelp(
        "The checksum that the file must have: sha-256, sha-512 or md5, a colon and the digits. With another one "
          + "nothing is kept, and the exit code is 1.",
        valueName: "alg:hex"
      )
    )
    var checksum: ChecksumArgument?

    @OptionGroup(title: "Request and limit options")
    var common: CommonArguments

    @OptionGroup(title: "Connection and trust options")
    var connection: ConnectionArguments

    @OptionGroup(title: "Policy options")
    var policy: PolicyArguments

    func validate() throws {
      try policy.validate(with: url)
      guard 1...32 ~= parallel else { throw ValidationError("--parallel must be between 1 and 32") }
      if output?.isEmpty == true { throw ValidationError("--output must not be empty") }
    }

    func run() async throws {
      let run = TransferRun(command: Self.self, connection: connection, policy: policy) { $0.received }
      var request = Request.get(url)
      try common.apply(to: &request)
      try policy.apply(to: &request)
      try await run.run { client in
        client.download(request, to: file, checksum: checksum?.checksum, parts: parallel)
      } remark: { progress in
        progress.received.bytes > 0 ? remark(for: request) : nil
      } finish: { file in
        if output == nil { try await StandardOutput().write(file.path, endsLine: true) }
      }
    }

    private var file: FileResponseSerializer {
      output.map { .file($0, existing: .overwrite) } ?? .file(in: ".", existing: .unique)
    }

    /// Says where the bytes are that came, if they were kept.
    private func remark(for request: Request) -> String? {
      var resolved = request
      try? resolved.resolve(against: nil)
      let partial = PartialNames(for: output ?? "./\(resolved.targetFileName ?? "download")").partial
      guard FileManager.default.fileExists(atPath: partial) else { return nil }
      return "What came is kept in \(partial): the same command goes on from there."
    }
  }
#endif
