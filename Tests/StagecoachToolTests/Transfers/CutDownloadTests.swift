#if Tool
  import Foundation
  import Synchronization
  import TestSupport
  import Testing

  /// Downloads that are cut at a random byte, by the server, the network or the end of the process, and go on.
  @Suite struct CutDownloadTests {
    /// How many of 64 MiB each are cut in the soak step; otherwise a few small ones are.
    private static let wanted = ProcessInfo.processInfo.environment["STAGECOACH_SOAK_DOWNLOADS"].flatMap(
      Int.init
    )
    private static let size = wanted == nil ? 3 << 20 : 64 << 20

    private enum Cut: CaseIterable { case reset, stall, kill }

    /// A version of the file on the server.
    private struct Version: Sendable {
      let content: Data
      /// Its time, since versions of one size and one time cannot be told apart by their ETag.
      let time: Date

      func place(at path: String) throws {
        let new = URL(filePath: path + ".new")
        try content.write(to: new)
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: new.path)
        guard rename(new.path, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
      }
    }

    private struct Rig {
      let nginx: Nginx
      let files: ScratchFolder
      let versions: [Version]
    }

    @Test(.timeLimit(.minutes(60)))
    func everyDownloadEndsWithOneVersion() async throws {
      let files = try ScratchFolder()
      let nginx = try Nginx(directives: "location /files/ { alias \(files.path("").path)/; }")
      defer { nginx.stop() }
      try await nginx.isListening()
      let versions = try [2_000_000, 1_000_000].map {
        Version(content: try Self.random(Self.size), time: Date(timeIntervalSinceNow: -$0))
      }
      let rig = Rig(nginx: nginx, files: files, versions: versions)
      let seed = UInt64.random(in: 0 ... .max)
      var attempts = 0
      for number in 0..<(Self.wanted ?? 8) {
        var random = SplitMix(state: seed &+ UInt64(number))
        attempts += try await download(number, rig, &random, "download \(number), seed \(seed)")
      }
      print("\(Self.wanted ?? 8) downloads of \(Self.size) bytes in \(attempts) attempts, seed \(seed)")
    }

    /// - Returns: How often the tool was run.
    private func download(_ number: Int, _ rig: Rig, _ random: inout SplitMix, _ name: Comment) async throws
      -> Int
    {
      let source = rig.files.path("file-\(number)").path
      try rig.versions[0].place(at: source)
      let scratch = try ScratchFolder()
      let proxy = try CuttingProxy(to: rig.nginx.port)
      defer { proxy.stop() }
      let (isReplaced, isParallel) = (number % 2 == 1, number % 4 == 3)
      let newer = rig.versions[1]
      let arguments = [
        "download", "\(proxy.url)/files/file-\(number)", "--proxy", "none", "--output",
        scratch.path("file").path,
        "--parallel", isParallel ? "3" : "1",
      ]
      let cuts = 1 + number / 2 % 2
      for cut in 0..<cuts {
        let kind = Cut.allCases[(number + cut) % Cut.allCases.count]
        let place = Int.random(in: 0..<Self.size, using: &random)
        var script: [(Int, CuttingProxy.Action)] = []
        if isReplaced, cut == 0 {
          script.append(
            (Int.random(in: 0...place, using: &random), .call { try newer.place(at: source) })
          )
        }
        try await attempt(kind, at: place, proxy, arguments, script, mayFinish: cut > 0, name)
      }
      let kept = (try? Data(contentsOf: scratch.path("file.part")).count) ?? 0
      _ = proxy.takeRanges()
      proxy.begin()
      let outcome = try await ToolProcess(arguments).outcome()
      #expect(outcome.status == 0, "\(name): \(outcome)")
      let file = try Data(contentsOf: scratch.path("file"))
      let isOne = rig.versions.contains { $0.content == file }
      #expect(isOne, "\(name): a mix of two versions")
      let isNewest = try file == Data(contentsOf: URL(filePath: source))
      #expect(isNewest, "\(name): it is not what the server has")
      #expect(try scratch.names == ["file"], name)
      // It was worth keeping. What came of parts at the same time counts only once it was noted.
      if kept > 0, !isParallel { #expect(proxy.takeRanges().first?.isEmpty == false, name) }
      try FileManager.default.removeItem(atPath: source)
      return cuts + 1
    }

    private func attempt(
      _ kind: Cut,
      at place: Int,
      _ proxy: CuttingProxy,
      _ arguments: [String],
      _ before: [(Int, CuttingProxy.Action)],
      mayFinish: Bool,
      _ name: Comment
    ) async throws {
      let (reached, reach) = AsyncStream.makeStream(of: Void.self)
      switch kind {
      case .reset: proxy.begin(before + [(place, .reset)])
      case .stall: proxy.begin(before + [(place, .stall)])
      case .kill: proxy.begin(before + [(place, .call { reach.yield() }), (place, .stall)])
      }
      // A slow machine exceeds this time without a pause too.
      let tool = try ToolProcess(arguments + (kind == .stall ? ["--timeout", "1.5"] : []))
      async let killing: Void = { [id = tool.id] in for await _ in reached { kill(id, SIGKILL) } }()
      let outcome = try await tool.outcome()
      reach.finish()
      await killing
      // Of a download that goes on, less may be left than should have passed.
      if mayFinish, outcome.status == 0 { return }
      #expect(outcome.status == (kind == .kill ? nil : 3), "\(name), \(kind) at \(place): \(outcome)")
    }

    private static func random(_ count: Int) throws -> Data {
      let file = try FileHandle(forReadingFrom: URL(filePath: "/dev/urandom"))
      return try file.read(upToCount: count) ?? Data()
    }
  }
#endif
