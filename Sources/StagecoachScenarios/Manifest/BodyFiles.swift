import StagecoachFormats

/// The files with the bodies of a manifest: each content once, with names that are unique.
struct BodyFiles {
  struct File {
    let name: String
    let bytes: [UInt8]
    let digest: String
    /// The content that the file stands for, and its form.
    fileprivate let content: Bytes
    fileprivate let isPretty: Bool
  }

  /// In the order of the exchanges.
  private(set) var files: [File] = []
  private var namesByDigest: [String: String] = [:]
  private var names: Set<String> = []
  /// The files of the scenario as it was written before.
  private let before: [String: File]

  init() {
    before = [:]
  }

  init(after other: BodyFiles) {
    before = Dictionary(other.files.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Adds a file, or finds the one with the same content.
  mutating func add(_ name: String, _ content: Bytes, isPretty: Bool) throws -> File {
    guard ManifestFile.mayHave(name) else {
      throw ScenarioError(.unsafePath, file: name, "a body file lies in the folder of its scenario")
    }
    let file = make(name, content, isPretty)
    if let known = namesByDigest[file.digest], let same = files.first(where: { $0.name == known }) {
      return same
    }
    var free = name
    var count = 1
    while !names.insert(free).inserted {
      count += 1
      free = "\(count)-\(name)"
    }
    let added = File(
      name: free,
      bytes: file.bytes,
      digest: file.digest,
      content: content,
      isPretty: file.isPretty
    )
    namesByDigest[file.digest] = free
    files.append(added)
    return added
  }

  private func make(_ name: String, _ content: Bytes, _ isPretty: Bool) -> File {
    if let known = before[name], known.isPretty == isPretty, known.content == content { return known }
    let bytes = isPretty ? JSONSpacing.lines(of: content.array) : content.array
    return File(
      name: name,
      bytes: bytes,
      digest: SHA256.hash(bytes).hexadecimal,
      content: content,
      isPretty: isPretty
    )
  }
}
