import Foundation
import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct FileResponseSerializerTests {
  private let directory: ScratchDirectory
  private let path: String

  init() throws {
    directory = try ScratchDirectory()
    path = directory.path + "/file"
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }
  }

  private func content(_ name: String = "file") throws -> Bytes {
    // Foundation leaks a buffer where all of an empty file is asked for by its name.
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "\(directory.path)/\(name)"))
    return Bytes(try file.readToEnd() ?? Data())
  }

  private func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  private static func error(_ work: () async throws -> SavedFile) async -> ExchangeError? {
    do {
      Issue.record("saved \(try await work())")
      return nil
    } catch {
      return error as? ExchangeError
    }
  }

  @Test func aBodyIsAFile() async throws {
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    for size in [1_000, 65_536, 300_000] {
      let pieces = stride(from: 0, to: bytes.count, by: size).map {
        Bytes(bytes[$0..<min($0 + size, bytes.count)])
      }
      let response = Response(.ok, body: Response.Body(chunks(pieces)))
      let saved = try await FileResponseSerializer(.path(path), existing: .overwrite).serialize(response)
      #expect(
        saved
          == (try await FileResponseSerializer(.path(path), existing: .overwrite, synchronizing: false)
            .serialize(Response(.ok, body: .bytes(Bytes(bytes)))))
      )
      #expect(saved.path == path)
      #expect(saved.size == 300_000)
      #expect(try content() == Bytes(bytes))
      #expect(try names == ["file"])
    }
    let empty = try await FileResponseSerializer(.path(path), existing: .overwrite).serialize(
      Response(.noContent)
    )
    #expect(empty.size == 0)
    #expect(try content().isEmpty)
  }

  @Test func theNameAppearsWhenTheFileIsComplete() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Bytes.self)
    continuation.yield("half")
    let (path, response) = (path, Response(.ok, body: Response.Body(stream)))
    let task = Task { try await FileResponseSerializer(.path(path)).serialize(response) }
    try await eventually { try names.count == 1 }
    #expect(try names.first?.hasPrefix("file.part-") == true)
    continuation.yield(" and half")
    continuation.finish()
    #expect(try await task.value.size == 13)
    #expect(try names == ["file"])
    #expect(try content() == "half and half")
  }

  @Test func nothingIsLeftOfACancelledDownload() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Bytes.self)
    continuation.yield("half")
    let (path, response) = (path, Response(.ok, body: Response.Body(stream)))
    let task = Task { try await FileResponseSerializer(.path(path)).serialize(response) }
    try await eventually { try names.count == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(try names.isEmpty)
  }

  @Test func nothingIsLeftOfAFailedDownload() async throws {
    _ = try directory.file("file", Array("old".utf8))
    let source = ScriptedSource([.chunk("new"), .fail(Foreign())])
    await #expect(throws: Foreign.self) {
      _ = try await FileResponseSerializer(.path(path), existing: .overwrite)
        .serialize(Response(.ok, body: Response.Body(source: source)))
    }
    #expect(try names == ["file"])
    #expect(try content() == "old")
  }

  @Test func aFileStaysUnlessAskedOtherwise() async throws {
    _ = try directory.file("file", Array("old".utf8))
    let source = ScriptedSource(chunks: ["new"])
    let response = Response(.ok, body: Response.Body(source: source))
    let error = await Self.error { try await FileResponseSerializer(.path(path)).serialize(response) }
    #expect(error?.kind == .file)
    #expect(error?.message == "\(path) exists")
    #expect(source.pulls == 0)
    #expect(source.cancels == 1)
    #expect(try content() == "old")
    _ = try await FileResponseSerializer(.path(path), existing: .overwrite)
      .serialize(Response(.ok, body: .bytes("new")))
    #expect(try content() == "new")
    #expect(try names == ["file"])
  }

  @Test func aFileThatComesIntoBeingMeanwhileStaysToo() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Bytes.self)
    continuation.yield("new")
    let (path, response) = (path, Response(.ok, body: Response.Body(stream)))
    let task = Task { try await FileResponseSerializer(.path(path)).serialize(response) }
    try await eventually { try names.count == 1 }
    _ = try directory.file("file", Array("theirs".utf8))
    continuation.finish()
    let error = await Self.error { try await task.value }
    #expect(error?.kind == .file)
    #expect(try content() == "theirs")
    #expect(try names == ["file"])
  }

  @Test(arguments: [0o600, 0o640, 0o755] as [UInt16])
  func theFileHasThePermissionsAskedFor(bits: UInt16) async throws {
    let response = Response(.ok, body: .bytes("x"))
    _ = try await FileResponseSerializer(.path(path), permissions: bits).serialize(response)
    #expect(try permissions(path) == Int(bits))
    // A new file in place of an old one is as private as that.
    _ = try await FileResponseSerializer(.path(path), existing: .overwrite).serialize(response)
    #expect(try permissions(path) == Int(bits))
    let plain = try directory.file("plain", [])
    _ = try await FileResponseSerializer(.path(path + "2")).serialize(response)
    #expect(try permissions(path + "2") == permissions(plain))
  }

  @Test(.enabled(if: geteuid() == 0, "only root may give a file away"))
  func aReplacedFileKeepsItsOwner() async throws {
    let path = try directory.file("owned", [1])
    #expect(chown(path, 12_345, 23_456) == 0 && chmod(path, 0o640) == 0)
    let response = Response(.ok, body: .bytes("x"))
    _ = try await FileResponseSerializer(.path(path), existing: .overwrite).serialize(response)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_size == 1)
    #expect(status.st_uid == 12_345 && status.st_gid == 23_456 && status.st_mode & 0o777 == 0o640)
    // A new file beside it is not theirs.
    let other = try await FileResponseSerializer(.path(path), existing: .unique).serialize(response)
    #expect(stat(other.path, &status) == 0 && status.st_uid == 0)
  }

  @Test func theSizeHasALimit() async throws {
    let transport = HandlerTransport { request in
      let length: Int64? = request.head.path == "/declared" ? 6 : nil
      return Response(.ok, body: Response.Body(chunks(["abc", "def"]), length: length))
    }
    let client = try Client(over: transport, base: "http://h/")
    for target in ["declared", "undeclared"] {
      for limit in [6, nil, 5] as [Int64?] {
        let request = Request.get(target).with(\.fileBodyLimit, limit)
        guard limit == 5 else {
          #expect(try await client.value(for: request, as: .file(path, existing: .overwrite)).size == 6)
          continue
        }
        let error = await Self.error { try await client.value(for: request, as: .file(path + "2")) }
        #expect(error?.kind == .limit(.body))
        #expect(error?.limit?.option == "fileBodyLimit")
        #expect(error?.stage == "FileResponseSerializer")
      }
    }
    #expect(try names == ["file"])
    #expect(RequestOptions().fileBodyLimit == 16 << 30)
  }

  @Test(
    arguments: [
      ("attachment; filename=\"a b.txt\"", "/x", "a b.txt"), ("attachment; filename=../../x", "/y", "x"),
      ("attachment; filename*=UTF-8''%e2%82%ac.txt", "/x", "€.txt"),
      ("attachment", "/dir/y.bin?z=/q", "y.bin"),
      ("attachment; filename=\"..\"", "/y", "y"), (nil, "/a%20b%2Fc.txt", "c.txt"), (nil, "/", "download"),
      (nil, "/%2e%2e%2f", "download"), (nil, "/d/", "d"), (nil, "/.profile", "_profile"),
      (nil, "/100%", "100%25"), (nil, "/%C3%A4%ZZ", "ä%25ZZ"),
    ] as [(String?, String, String)]
  )
  func theServerNamesAFileInAFolder(disposition: String?, target: String, name: String) async throws {
    let transport = HandlerTransport { _ in
      var response = Response(.ok, body: .bytes("x"))
      if let disposition { response.fields[.contentDisposition] = disposition }
      return response
    }
    let client = try Client(over: transport, base: "http://h/")
    let name = name.removingPercentEncoding ?? name
    let saved = try await client.get(target, as: .file(in: directory.path))
    #expect(saved.path == "\(directory.path)/\(name)")
    #expect(saved.size == 1)
    #expect(try names == [name])
    let again = await Self.error { try await client.get(target, as: .file(in: directory.path)) }
    #expect(again?.kind == .file)
  }

  @Test func aLinkInAFolderDoesNotLeadOutOfIt() async throws {
    let outside = try ScratchDirectory()
    let target = try outside.file("target", Array("old".utf8))
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    let response = Response(
      .ok,
      fields: [.contentDisposition: "attachment; filename=file"],
      body: .bytes("new")
    )
    let refusal = await Self.error {
      try await FileResponseSerializer(.directory(directory.path)).serialize(response)
    }
    #expect(refusal?.kind == .file)
    _ = try await FileResponseSerializer(.directory(directory.path), existing: .overwrite).serialize(response)
    #expect(try content() == "new")
    #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == Data("old".utf8))
    // Under a path of the caller, what the link means is replaced.
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    _ = try await FileResponseSerializer(.path(path), existing: .overwrite).serialize(response)
    #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == Data("new".utf8))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
  }

  @Test(arguments: ["a", "ä", "👴🏿"])
  func longNamesHaveRoomForTheirPartialFile(unit: String) async throws {
    let name = String(repeating: unit, count: 255 / unit.utf8.count)
    let saved = try await FileResponseSerializer(.path("\(directory.path)/\(name)"))
      .serialize(Response(.ok, body: .bytes("x")))
    #expect(saved.size == 1)
    #expect(try names == [name])
  }

  @Test(arguments: ["/missing/file", ""])
  func whatCannotBeWrittenIsRefused(suffix: String) async throws {
    for existing in [ExistingFilePolicy.fail, .overwrite] {
      let serializer = FileResponseSerializer(.path(directory.path + suffix), existing: existing)
      let error = await Self.error { try await serializer.serialize(Response(.ok, body: .bytes("x"))) }
      #expect(error?.kind == .file)
      #expect(error?.message.contains(directory.path) == true)
    }
    #expect(try names.isEmpty)
  }

  #if os(Linux)
    @Test func aFullDiskIsAnError() async throws {
      let serializer = FileResponseSerializer(.path("/dev/full"), existing: .overwrite)
      let source = ScriptedSource(chunks: ["x", "y"])
      let error = await Self.error {
        try await serializer.serialize(Response(.ok, body: Response.Body(source: source)))
      }
      #expect(error?.kind == .file)
      #expect(error?.message == "cannot write /dev/full: No space left on device")
      #expect(source.cancels == 1)
    }
  #endif

  @Test func aDeviceIsWrittenTo() async throws {
    let serializer = FileResponseSerializer(.path("/dev/null"), existing: .overwrite)
    #expect(try await serializer.serialize(Response(.ok, body: .bytes("x"))).size == 1)
    let type = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
    #expect(type == .typeCharacterSpecial)
  }

  private func eventually(_ isMet: () throws -> Bool) async throws {
    for _ in 0..<2000 {
      if try isMet() { return }
      try await Task.sleep(for: .milliseconds(5))
    }
    Issue.record("it did not happen within 10 s")
  }
}
