#if Tool
  import Foundation
  import Testing

  /// A key and a certificate for `localhost` that is its own issuer, made by openssl: `key.pem` and `certificate.pem`.
  struct SelfSigned {
    let certificate: String
    let key: String

    init(in folder: ScratchFolder) throws {
      certificate = folder.path("certificate.pem").path
      key = folder.path("key.pem").path
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = [
        "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
        "-keyout", key, "-out", certificate,
      ]
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      try #require(process.terminationStatus == 0)
    }
  }
#endif
