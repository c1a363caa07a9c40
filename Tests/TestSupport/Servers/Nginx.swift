import Foundation

/// A server that is not ours: nginx from the system's packages, on a free port, in a folder of its own.
package final class Nginx {
  package static let executable = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/opt/homebrew/bin/nginx"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  package let url: String
  /// The same over TLS, HTTP/2 if the client speaks it.
  package let secureURL: String
  /// The path of a Unix socket that it listens on too.
  package let unixSocket: String
  package let port: Int
  private let process: ChildProcess
  private let folder: URL

  /// - Parameters:
  ///   - chain: The certificates that it shows, as PEM.
  ///   - key: The key of the first of them.
  ///   - directives: What the server is to know besides, such as locations. Requests are written to `access.log`.
  ///   - outside: What stands outside of the server, such as zones.
  ///   - files: Further files of its folder; `www` holds what it serves.
  ///   - binaryFiles: Files of any bytes.
  ///   - protocols: The versions of TLS.
  package init(
    chain: String = TestCertificates.server,
    key: String = TestCertificates.serverKey,
    directives: String = "",
    outside: String = "",
    files: [String: String] = [:],
    binaryFiles: [String: [UInt8]] = [:],
    protocols: String = "TLSv1.2 TLSv1.3"
  ) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "stagecoach-nginx-\(UUID())")
    let root = folder.appending(path: "www")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    let own = [
      "www/a.json": #"{"title":"from nginx","count":7}"#, "www/a.xml": "<a><b>7</b></a>",
      "www/a.txt": "hello",
      "www/large": "", "server.pem": "\(chain)\n", "key.pem": "\(key)\n",
    ]
    for (name, content) in own.merging(files, uniquingKeysWith: { $1 }) {
      try Data(content.utf8).write(to: folder.appending(path: name))
    }
    for (name, content) in binaryFiles { try Data(content).write(to: folder.appending(path: name)) }
    let handle = try FileHandle(forWritingTo: root.appending(path: "large"))
    try handle.truncate(atOffset: 64 << 20)
    try handle.close()
    // Short: its length is limited.
    unixSocket = "/tmp/stagecoach-\(UInt64.random(in: 0 ... .max)).sock"
    port = try freePort()
    let securePort = try freePort()
    let configuration = """
      daemon off; master_process off; pid nginx.pid; error_log error.log;
      events {}
      http { access_log access.log; root www; client_max_body_size 0;
        keepalive_requests 1000000; \(outside)
        types { application/json json; application/xml xml; text/html html; }
        client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;
        server { listen 127.0.0.1:\(port); listen 127.0.0.1:\(securePort) ssl http2;
          listen unix:\(unixSocket); ssl_protocols \(protocols);
          ssl_certificate server.pem; ssl_certificate_key key.pem;
          \(directives)
          location = /moved { return 302 /a.json; }
          location = /close { return 444; } } }
      """
    try Data(configuration.utf8).write(to: folder.appending(path: "nginx.conf"))
    process = try ChildProcess([
      Self.executable.orNotInstalled("nginx"), "-p", folder.path, "-c", "nginx.conf",
    ])
    url = "http://127.0.0.1:\(port)/"
    secureURL = "https://localhost:\(securePort)/"
  }

  /// Waits until it listens, which takes a moment.
  package func isListening() async throws {
    try await waitForServer(on: port, log: folder.appending(path: "error.log"))
  }

  /// The lines of its log of requests.
  package func log() throws -> [Substring] {
    try String(contentsOf: folder.appending(path: "access.log"), encoding: .utf8).split(separator: "\n")
  }

  package func stop() {
    process.stop()
    try? FileManager.default.removeItem(atPath: unixSocket)
    try? FileManager.default.removeItem(at: folder)
  }
}
