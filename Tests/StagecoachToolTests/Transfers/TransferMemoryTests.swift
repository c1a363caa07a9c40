#if Tool && os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// The memory that a transfer takes does not depend on its size.
  @Suite struct TransferMemoryTests {
    /// The size in GiB, which is written to the disk; the soak step asks for more.
    private static let size =
      ProcessInfo.processInfo.environment["STAGECOACH_SOAK_GIGABYTES"].flatMap(Int.init).map { $0 << 30 }
      ?? 128 << 20
    /// The tool that is measured; that of the tests unless one is given.
    private static let tool = ProcessInfo.processInfo.environment["STAGECOACH_SOAK_TOOL"]

    @Test(.timeLimit(.minutes(30)))
    func manyBytesTakeAsMuchMemoryAsOne() async throws {
      let files = try ScratchFolder()
      let nginx = try Nginx(
        directives: "location /files/ { alias \(files.path("").path)/; dav_methods PUT; sendfile on; }"
      )
      defer { nginx.stop() }
      try await nginx.isListening()
      let url = "\(nginx.url)files/"
      for (name, size) in [("one", 1), ("many", Self.size)] {
        try files.create(name).truncate(atOffset: UInt64(size))
      }
      let target = files.path("came").path
      var peaks: [String: Int] = [:]
      for name in ["one", "many"] {
        peaks["download \(name)"] = try await peak(["download", url + name, "--output", target])
        #expect(try Self.length(target) == (name == "one" ? 1 : Self.size))
        try FileManager.default.removeItem(atPath: target)
        peaks["upload \(name)"] = try await peak(["upload", files.path(name).path, url + "came"])
        #expect(try Self.length(target) == (name == "one" ? 1 : Self.size))
        try FileManager.default.removeItem(atPath: target)
      }
      print("\(Self.size) bytes, KiB at the peak: \(peaks.sorted { $0.key < $1.key })")
      for verb in ["download", "upload"] {
        let more = try #require(peaks["\(verb) many"]) - (try #require(peaks["\(verb) one"]))
        #expect(more <= 8 << 10, "\(verb): \(peaks)")
      }
    }

    /// Runs the tool.
    ///
    /// - Returns: The most memory that it had resident, in KiB.
    private func peak(_ arguments: [String]) async throws -> Int {
      let script = """
        import resource, subprocess, sys
        status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
        print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
        sys.exit(status)
        """
      let tool = try Self.tool ?? ToolProcess.executable.path
      let output = try await Python.run(script, arguments: [tool] + arguments + ["--proxy", "none"])
      return try #require(Int(String(decoding: output, as: UTF8.self).filter(\.isNumber)))
    }

    private static func length(_ path: String) throws -> Int {
      try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    }
  }
#endif
