#if CURL
  import CCurl

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// Makes a body without a length that ends without close_notify (RFC 8446 6.1) an error, because it may be truncated.
  ///
  /// OpenSSL 3 asks its input, a BIO, whether it has ended, and fails if so. The BIO of libcurl reports no end as long
  /// as it has a socket (7.88 vtls/openssl.c, bio_cf_ctrl), so such an end looks like a proper one. With our callback
  /// it reports the end after a read that returned nothing.
  ///
  /// The functions of OpenSSL are looked up in the library that libcurl is linked to, because nothing else here needs
  /// it.
  enum AbruptEnds {
    private typealias BIO = OpaquePointer
    private typealias Callback =
      @convention(c) (
        BIO?, Int32, UnsafePointer<CChar>?, Int, Int32, Int, Int32, UnsafeMutablePointer<Int>?
      ) -> Int

    private typealias GetBIO = @Sendable @convention(c) (_ connection: UnsafeMutableRawPointer) -> BIO?
    private typealias SetCallback = @Sendable @convention(c) (BIO?, Callback) -> Void
    private typealias SetArgument = @Sendable @convention(c) (BIO?, UnsafeMutablePointer<CChar>?) -> Void
    private typealias GetArgument = @Sendable @convention(c) (BIO?) -> UnsafeMutablePointer<CChar>?

    /// The OpenSSL functions.
    private struct Functions: Sendable {
      let bio: GetBIO
      let setCallback: SetCallback
      let setArgument: SetArgument
      let argument: GetArgument

      init?(of library: UnsafeMutableRawPointer) {
        func function<Function>(_ name: String, _ type: Function.Type) -> Function? {
          dlsym(library, name).map { unsafeBitCast($0, to: type) }
        }
        guard let bio = function("SSL_get_rbio", GetBIO.self),
          let setCallback = function("BIO_set_callback_ex", SetCallback.self),
          let setArgument = function("BIO_set_callback_arg", SetArgument.self),
          let argument = function("BIO_get_callback_arg", GetArgument.self)
        else { return nil }
        self.bio = bio
        self.setCallback = setCallback
        self.setArgument = setArgument
        self.argument = argument
      }
    }

    /// `nil` if libcurl uses another TLS library, or is linked statically.
    private static let functions: Functions? = {
      guard Library.usesOpenSSL, let library = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_NOLOAD),
        dlsym(library, "curl_version_info") == stagecoach_curl_address()
      else { return nil }
      // This searches the dependencies of libcurl too, and nothing else.
      return Functions(of: library)
    }()

    /// Reports an abrupt end of the connection of a handle as a failure of its transfer.
    ///
    /// Use it only for a body that ends with its connection: the failure makes OpenSSL drop the TLS session, which
    /// other connections may resume.
    static func report(to handle: EasyHandle) {
      guard let functions, let connection = stagecoach_curl_get_openssl(handle.curl),
        let bio = functions.bio(connection)
      else { return }
      functions.setCallback(bio, callback)
    }

    /// `BIO_CB_READ` and `BIO_CB_CTRL`, each with `BIO_CB_RETURN`.
    private static let (didRead, didControl): (Int32, Int32) = (0x82, 0x86)
    /// `BIO_CTRL_EOF`
    private static let hasEnded: Int32 = 2

    private static let callback: Callback = { bio, operation, _, _, command, _, result, _ in
      if operation == didRead, result == 0 {
        functions?.setArgument(bio, UnsafeMutablePointer(bitPattern: 1))
      } else if operation == didControl, command == hasEnded, functions?.argument(bio) != nil {
        return 1
      }
      return Int(result)
    }
  }
#endif
