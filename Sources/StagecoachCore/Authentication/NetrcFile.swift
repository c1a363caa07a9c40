#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A `.netrc` file: names and passwords by host, as ftp, curl and git keep them.
///
/// ```swift
/// let file = try NetrcFile(contentsOf: "/home/ada/.netrc")
/// if let entry = file.entry(forHost: "api.example.com") {
///   print(entry.login ?? "")
/// }
/// ```
///
/// Read is what curl reads: words between blanks and line ends, `machine` and a host or `default` for all others,
/// then `login`, `password` and `account` each with a value; the keywords in any case. A word in double quotes may
/// hold blanks, and `\n`, `\r`, `\t`, and any other character behind a backslash. `#` at the start of a line, or of a
/// word where a keyword has to follow, makes the rest of the line a comment. A `macdef` reaches to the next empty
/// line and is skipped. Other than with curl, a word that is none of these is an error, since it may be a part of a
/// password that needs quotes.
///
/// The permissions of the file are not checked.
public struct NetrcFile: Sendable, Hashable {
  /// What the file says of one host, or of all others.
  public struct Entry: Sendable, Hashable {
    /// The host as it was written; nil for `default`.
    public var host: String?
    /// The user's name; nil if there is none.
    public var login: String?
    /// The password; nil if there is none.
    public var password: String?
    /// The account; nil if there is none. HTTP has no use for it.
    public var account: String?
  }

  /// The entries in order.
  public let entries: [Entry]

  /// The most octets of a file that is read: 128 KiB.
  public static let maximumLength = 128 * 1024

  /// The most octets of a word that is read: 4 KiB.
  public static let maximumWordLength = 4 * 1024

  /// Reads a text.
  ///
  /// - Throws: ``NetrcError``
  public init(_ text: String) throws(NetrcError) {
    guard text.utf8.count <= Self.maximumLength else {
      throw NetrcError(.tooLong(limit: Self.maximumLength), line: 1)
    }
    let result = text.withUTF8Bytes { octets -> Result<[Entry], NetrcError> in
      var reader = NetrcReader(octets: octets)
      do throws(NetrcError) { return .success(try reader.read()) } catch { return .failure(error) }
    }
    entries = try result.get()
  }

  /// Reads octets, which have to be UTF-8; a byte order mark is skipped.
  ///
  /// - Throws: ``NetrcError``
  public init(octets: [UInt8]) throws(NetrcError) {
    guard octets.count <= Self.maximumLength else {
      throw NetrcError(.tooLong(limit: Self.maximumLength), line: 1)
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let octets = octets.starts(with: mark) ? octets[mark.count...] : octets[...]
    guard let text = String(validating: octets, as: UTF8.self) else {
      let lines = octets.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
      throw NetrcError(.notUTF8, line: line + 1)
    }
    try self.init(text)
  }

  /// Reads a file, and returns when that is done.
  ///
  /// - Throws: ``NetrcError``; ``ExchangeError`` of kind `file` if the file cannot be read.
  public init(contentsOf path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ExchangeError.file("cannot open", path, errno) }
    defer { close(descriptor) }
    // One more than the limit tells a file that is too long.
    let capacity = Self.maximumLength + 1
    let octets = try [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      while count < capacity {
        let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
        let result = systemRead(descriptor, rest)
        if result < 0, errno == EINTR { continue }
        guard result >= 0 else { throw ExchangeError.file("cannot read", path, errno) }
        guard result > 0 else { return }
        count += result
      }
    }
    try self.init(octets: octets)
  }

  /// The first entry for a host, its case ignored, or `default`, whichever comes first.
  ///
  /// - Parameters:
  ///   - host: The host without a port.
  ///   - login: If it is given, only an entry with this name counts.
  public func entry(forHost host: String, login: String? = nil) -> Entry? {
    entries.first { entry in
      entry.host.map { $0.equalsIgnoringASCIICase(host) } != false && (login == nil || entry.login == login)
    }
  }
}

extension NetrcFile.Entry: CustomStringConvertible, CustomReflectable {
  /// The host, without name and password.
  public var description: String { host.map { "machine \(Format.oneLine($0))" } ?? "default" }
  /// Nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

// Under a name of its own, since a member of the same name hides the function of the C library.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}
