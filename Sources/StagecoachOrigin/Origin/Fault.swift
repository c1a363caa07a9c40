#if Tool
  extension Origin {
    /// An injected fault, which changes exactly one behaviour of the origin.
    ///
    /// A check should fail if the behaviour that it tests is broken. Start an origin with a fault, run the check, and
    /// make sure that it fails.
    @nonexhaustive
    public enum Fault: String, Sendable, Hashable, CaseIterable {
      /// `/json` returns a wrong `count`.
      case wrongJSON
      /// `/echo` reports an empty query.
      case dropsQuery
      /// `/status/{code}` returns 500, and 200 if 500 is requested.
      case wrongStatus
      /// `/chunked?trailers=1` sends no trailer fields.
      case noTrailers
      /// `/bytes/{n}` closes the connection after half of the announced bytes.
      case truncatesBody
      /// `/text` labels its bytes as ISO-8859-1.
      case wrongCharset
      /// `/headers` joins fields of one name into one line.
      case mergesFields
      /// `/etag/{tag}` and `/last-modified` return 200 for a conditional request that should get 304.
      case ignoresValidators
      /// `/basic-auth`, `/proxy-auth`, `/digest-auth` and `/bearer` refuse the correct credentials.
      case rejectsCredentials
      /// `/cookies` reports no cookies.
      case forgetsCookies
      /// `/retry/{n}` always returns 503.
      case neverRecovers
      /// `/redirect/{status}` and `/redirect-chain/{n}` point to `/status/404`.
      case wrongLocation
      /// `/gzip` and `/deflate` end with a wrong checksum.
      case corruptsCompression
      /// `/upload` and `/slow-upload` report one byte too many.
      case miscountsUpload
      /// The end tag of the root element is missing in `/xml` and `/feed.xml`.
      case malformedXML
      /// `/early-hints` responds without the 103.
      case skipsEarlyHints

      /// Creates a fault from its name, for example from an environment variable.
      ///
      /// - Parameter name: The name of a case, for example `dropsQuery`; case is ignored.
      /// - Throws: ``OriginError/invalidConfiguration(_:)`` with the list of all names.
      public init(named name: String) throws {
        guard let fault = Self.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() }) else {
          let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
          throw OriginError.invalidConfiguration("unknown fault '\(name)' (known: \(names))")
        }
        self = fault
      }
    }
  }
#endif
