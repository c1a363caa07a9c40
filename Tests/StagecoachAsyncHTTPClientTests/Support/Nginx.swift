#if Tool
  import Foundation
  import Stagecoach
  import StagecoachAsyncHTTPClient
  import Testing

  /// A server that is not ours: nginx from the system's packages, on a free port, in a folder of its own.
  final class Nginx {
    static let executable = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/opt/homebrew/bin/nginx"]
      .first { FileManager.default.isExecutableFile(atPath: $0) }

    let url: String
    /// The same over TLS, HTTP/2 if the client speaks it.
    let secureURL: String
    private let process: ChildProcess
    private let folder: URL

    /// - Parameter directives: What the server is to know besides, such as locations.
    init(directives: String = "") async throws {
      folder = FileManager.default.temporaryDirectory.appending(path: "stagecoach-nginx-\(UUID())")
      let root = folder.appending(path: "www")
      try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
      try Data(#"{"title":"from nginx","count":7}"#.utf8).write(to: root.appending(path: "a.json"))
      try Data("<a><b>7</b></a>".utf8).write(to: root.appending(path: "a.xml"))
      let large = root.appending(path: "large")
      try Data().write(to: large)
      let handle = try FileHandle(forWritingTo: large)
      try handle.truncate(atOffset: 64 << 20)
      try handle.close()
      try Data(TestCertificates.server.utf8).write(to: folder.appending(path: "server.pem"))
      try Data(TestCertificates.serverKey.utf8).write(to: folder.appending(path: "key.pem"))
      let port = try freePort()
      let securePort = try freePort()
      let configuration = """
        daemon off; master_process off; pid nginx.pid; error_log error.log;
        events {}
        http { access_log off; root www; client_max_body_size 0;
          types { application/json json; application/xml xml; text/html html; }
          client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;
          server { listen 127.0.0.1:\(port); listen 127.0.0.1:\(securePort) ssl http2;
            ssl_certificate server.pem; ssl_certificate_key key.pem;
            \(directives)
            location = /moved { return 302 /a.json; }
            location = /close { return 444; } } }
        """
      try Data(configuration.utf8).write(to: folder.appending(path: "nginx.conf"))
      process = try ChildProcess([#require(Nginx.executable), "-p", folder.path, "-c", "nginx.conf"])
      url = "http://127.0.0.1:\(port)/"
      secureURL = "https://localhost:\(securePort)/"
    }

    /// Waits until it listens, which takes a moment.
    func isListening() async throws {
      let client = try Client(over: AsyncHTTPClientTransport(), base: url, ownsTransport: true)
      var listens = false
      for _ in 0..<3000 where !listens {
        listens = (try? await client.head("a.json")) != nil
        if !listens { try await Task.sleep(for: .milliseconds(10)) }
      }
      await client.shutdown()
      if !listens { throw ServerDidNotStart(log: folder.appending(path: "error.log")) }
    }

    func stop() {
      process.stop()
      try? FileManager.default.removeItem(at: folder)
    }
  }
#endif
