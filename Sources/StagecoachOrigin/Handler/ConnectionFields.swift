#if Tool
  package import HTTPTypes

  /// Which fields of a message end at its connection: those that HTTP names, and those that `Connection` lists (RFC 9110
  /// 7.6.1).
  package struct ConnectionFields {
    private static let known: Set<String> = [
      "connection", "http2-settings", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade",
    ]

    /// The options of the connection, in lower case; each may be the name of a field.
    private let options: Set<String>

    /// - Parameter values: The values of the fields `Connection` of the message.
    init(_ values: [String]) {
      options = Set(values.flatMap { $0.listedTokens })
    }

    /// Whether a field is not part of the message itself.
    func contains(_ name: HTTPField.Name) -> Bool {
      Self.known.contains(Self.readName(name)) || options.contains(name.canonicalName)
    }

    /// Whether `Connection` has an option.
    func hasOption(_ option: String) -> Bool { options.contains(option) }

    /// The name as services read it that keep fields as variables, in lower case: these take `X_Forwarded_For` for
    /// `X-Forwarded-For` (RFC 3875 4.1.18).
    package static func readName(_ name: HTTPField.Name) -> String {
      let name = name.canonicalName
      func isPlain(_ octet: UInt8) -> Bool {
        0x61...0x7a ~= octet || 0x30...0x39 ~= octet || octet == UInt8(ascii: "-")
      }
      guard !name.utf8.allSatisfy(isPlain) else { return name }
      return String(decoding: name.utf8.map { isPlain($0) ? $0 : UInt8(ascii: "-") }, as: UTF8.self)
    }
  }

  extension String {
    /// The elements of a list of tokens, in lower case.
    var listedTokens: [String] {
      split(separator: ",").map { element in
        element.trimmingPrefix { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }.lowercased()
      }
    }
  }
#endif
