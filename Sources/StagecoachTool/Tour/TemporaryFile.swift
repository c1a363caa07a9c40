#if Tool
  import Stagecoach

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Darwin)
    import Darwin
  #endif

  /// A file in the folder for temporary files, removed with the value.
  struct TemporaryFile: ~Copyable {
    let path: String

    /// A file with this content.
    init(_ content: [UInt8]) throws {
      let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
      var template = Array("\(folder)/stagecoach-tour-XXXXXX".utf8CString)
      let descriptor = mkstemp(&template)
      path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
      guard descriptor >= 0 else { throw ExchangeError.file("cannot create", path, errno) }
      defer { close(descriptor) }
      if let code = Descriptor.write(Bytes(content), to: descriptor) {
        throw ExchangeError.file("cannot write", path, code)
      }
    }

    deinit {
      unlink(path)
    }
  }
#endif
