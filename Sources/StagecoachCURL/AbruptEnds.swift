#if CURL
  import CCurl

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// Makes an error of a connection that ends without close_notify (RFC 8446 6.1): what came may be a part.
  ///
  /// OpenSSL 3 asks what it reads from, a BIO, whether that has ended, and fails then. That of libcurl says no as long
  /// as it has a socket (7.88 vtls/openssl.c, bio_cf_ctrl), so that nothing tells such an end from a good one. With a
  /// callback of ours it says yes once a read brought nothing.
  ///
  /// The functions of OpenSSL are those that libcurl is linked to, and looked up: nothing else here needs that library.
  enum AbruptEnds {
    private typealias BIO = OpaquePointer
    private typealias EventCallback = @convention(c) (_ connection: OpaquePointer?, Int32, Int32) -> Void
    private typealias BIOCallback =
      @convention(c) (
        BIO?, Int32, UnsafePointer<CChar>?, Int, Int32, Int, Int32, UnsafeMutablePointer<Int>?
      ) -> Int

    private typealias SetEventCallback =
      @Sendable @convention(c) (_ context: UnsafeMutableRawPointer?, EventCallback) -> Void
    private typealias GetBIO = @Sendable @convention(c) (_ connection: OpaquePointer?) -> BIO?
    private typealias SetBIOCallback = @Sendable @convention(c) (BIO?, BIOCallback) -> Void
    private typealias SetArgument = @Sendable @convention(c) (BIO?, UnsafeMutablePointer<CChar>?) -> Void
    private typealias GetArgument = @Sendable @convention(c) (BIO?) -> UnsafeMutablePointer<CChar>?

    /// The functions of OpenSSL.
    private struct Functions: Sendable {
      let setEventCallback: SetEventCallback
      let bio: GetBIO
      let setCallback: SetBIOCallback
      let setArgument: SetArgument
      let argument: GetArgument

      init?(of library: UnsafeMutableRawPointer) {
        func function<Function>(_ name: String, _ type: Function.Type) -> Function? {
          dlsym(library, name).map { unsafeBitCast($0, to: type) }
        }
        guard let setEventCallback = function("SSL_CTX_set_info_callback", SetEventCallback.self),
          let bio = function("SSL_get_rbio", GetBIO.self),
          let setCallback = function("BIO_set_callback_ex", SetBIOCallback.self),
          let setArgument = function("BIO_set_callback_arg", SetArgument.self),
          let argument = function("BIO_get_callback_arg", GetArgument.self)
        else { return nil }
        self.setEventCallback = setEventCallback
        self.bio = bio
        self.setCallback = setCallback
        self.setArgument = setArgument
        self.argument = argument
      }
    }

    /// nil where the TLS of libcurl is another, or part of the program.
    private static let functions: Functions? = {
      guard Library.usesOpenSSL, let library = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_NOLOAD) else {
        return nil
      }
      // What libcurl depends on is searched too, and nothing else is.
      return Functions(of: library)
    }()

    /// Has such ends reported as failures of the transfers of a handle.
    static func report(to handle: EasyHandle) {
      if functions != nil { _ = stagecoach_curl_set_tls_context(handle.curl, contextCallback) }
    }

    private static let contextCallback: curl_ssl_ctx_callback = { _, context, _ in
      functions?.setEventCallback(context, eventCallback)
      return CURLE_OK
    }

    /// `SSL_CB_HANDSHAKE_DONE`
    private static let isAgreed: Int32 = 0x20

    private static let eventCallback: EventCallback = { connection, event, _ in
      guard event & isAgreed != 0, let functions else { return }
      functions.setCallback(functions.bio(connection), bioCallback)
    }

    /// `BIO_CB_READ` and `BIO_CB_CTRL`, each with `BIO_CB_RETURN`.
    private static let (didRead, didControl): (Int32, Int32) = (0x82, 0x86)
    /// `BIO_CTRL_EOF`
    private static let hasEnded: Int32 = 2

    private static let bioCallback: BIOCallback = { bio, operation, _, _, command, _, result, _ in
      if operation == didRead, result == 0 {
        functions?.setArgument(bio, UnsafeMutablePointer(bitPattern: 1))
      } else if operation == didControl, command == hasEnded, functions?.argument(bio) != nil {
        return 1
      }
      return Int(result)
    }
  }
#endif
