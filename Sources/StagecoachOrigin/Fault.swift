#if Tool
  extension Origin {
    /// A planted mistake: each one changes exactly one behaviour of the origin.
    ///
    /// A check that is worth its name fails when the behaviour that it looks at is broken. Start an origin
    /// with a fault, run the check, and see it fail.
    @nonexhaustive
    public enum Fault: String, Sendable, Hashable, CaseIterable {
      /// `/json` answers a wrong `count`.
      case wrongJSON
      /// `/echo` reports an empty query.
      case dropsQuery
      /// `/status/{code}` answers 500, and 200 when asked for 500.
      case wrongStatus
      /// `/chunked?trailers=1` sends no trailer fields.
      case noTrailers
      /// `/bytes/{n}` closes the connection after half of the announced bytes.
      case truncatesBody
      /// `/text` labels its bytes as ISO-8859-1.
      case wrongCharset
      /// `/headers` joins fields of one name into one line.
      case mergesFields
      /// `/etag/{tag}` and `/last-modified` answer 200 to a conditional request that should give 304.
      case ignoresValidators
      /// `/basic-auth`, `/proxy-auth`, `/digest-auth` and `/bearer` refuse the right credentials.
      case rejectsCredentials
      /// `/cookies` reports no cookies.
      case forgetsCookies
      /// `/retry/{n}` answers 503 for ever.
      case neverRecovers
      /// `/redirect/{status}` and `/redirect-chain/{n}` point to `/status/404`.
      case wrongLocation
      /// `/gzip` and `/deflate` end with a wrong checksum.
      case corruptsCompression
      /// `/upload` and `/slow-upload` report one byte too many.
      case miscountsUpload
      /// `/xml` and `/feed.xml` lack the end tag of the root element.
      case malformedXML
      /// `/early-hints` answers without the 103.
      case skipsEarlyHints

      /// Reads the name of a fault, such as the value of an environment variable.
      ///
      /// - Parameter name: The name of a case, for example `dropsQuery`; letter case is ignored.
      /// - Throws: ``OriginError/invalidConfiguration(_:)`` with the list of all names.
      public init(named name: String) throws {
        guard let fault = Self.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() }) else {
          let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
          throw OriginError.invalidConfiguration("no fault is called '\(name)'; there are: \(names)")
        }
        self = fault
      }
    }
  }
#endif
