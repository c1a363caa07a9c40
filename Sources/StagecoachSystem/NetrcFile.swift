import StagecoachCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A `.netrc` file: names and passwords by host, as used by ftp, curl and git.
///
/// ```swift
/// let file = try NetrcFile(contentsOf: "/home/ada/.netrc")
/// if let entry = file.entry(forHost: "api.example.com") {
///   print(entry.login ?? "")
/// }
/// ```
///
/// The syntax is that of curl: words separated by whitespace; `machine` with a host, or `default` for all others; then
/// `login`, `password` and `account`, each with a value. Keywords are case-insensitive. A word in double quotes may
/// contain whitespace, `\n`, `\r`, `\t`, and any other character after a backslash. `#` at the start of a line, or of
/// a word in place of a keyword, starts a comment. A `macdef` extends to the next empty line and is skipped. Unlike in
/// curl, any other word is an error, because it may be part of a password that needs quotes.
///
/// The permissions of the file are not checked.
public struct NetrcFile: Sendable, Hashable {
  /// The entry of one host, or of all other hosts.
  public struct Entry: Sendable, Hashable {
    /// The host as it was written; `nil` for `default`.
    public var host: String?
    /// The user name; `nil` if absent.
    public var login: String?
    /// The password; `nil` if absent.
    public var password: String?
    /// The account; `nil` if absent. It is not used for HTTP.
    public var account: String?
  }

  /// The entries in order.
  public let entries: [Entry]

  /// The maximum length of a file in octets: 128 KiB.
  public static let maximumLength = 128 * 1024

  /// The maximum length of a word in octets: 4 KiB.
  public static let maximumWordLength = 4 * 1024

  /// Parses a text.
  ///
  /// - Throws: ``NetrcError``.
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

  /// Parses octets, which must be UTF-8; a byte order mark is skipped.
  ///
  /// - Throws: ``NetrcError``.
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

  /// Reads and parses a file; blocks until it is read.
  ///
  /// - Throws: ``NetrcError``; `ExchangeError` of kind `file` if the file cannot be read.
  public init(contentsOf path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ExchangeError.file("cannot open", path, errno) }
    defer { close(descriptor) }
    // One byte more than the limit detects a file that is too long.
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

  /// Returns the first matching entry: for the host, ignoring case, or `default`.
  ///
  /// - Parameters:
  ///   - host: The host without a port.
  ///   - login: The user name that the entry must have; any if `nil`.
  public func entry(forHost host: String, login: String? = nil) -> Entry? {
    entries.first { entry in
      entry.host.map { $0.equalsIgnoringASCIICase(host) } != false && (login == nil || entry.login == login)
    }
  }
}

extension NetrcFile.Entry: CustomStringConvertible, CustomReflectable {
  /// The host, without name and password.
  public var description: String { host.map { "machine \(Format.oneLine($0))" } ?? "default" }
  /// An empty mirror, so that the entry is not shown.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

// Under a name of its own, since a member of the same name hides the function of the C library.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}
