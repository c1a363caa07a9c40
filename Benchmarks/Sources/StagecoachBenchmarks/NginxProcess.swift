import Foundation

/// nginx on a free port, serving a folder.
final class NginxProcess {
  let url: String
  private let process: Process
  private let folder: URL

  init(serving files: URL) throws {
    let candidates = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/opt/homebrew/bin/nginx"]
    guard let executable = candidates.first(where: FileManager.default.isExecutableFile) else {
      throw CocoaError(.fileNoSuchFile)
    }
    folder = FileManager.default.temporaryDirectory.appending(path: "stagecoach-nginx-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // A port that is taken ends nginx, and another one is tried.
    for _ in 0..<20 {
      let port = Int.random(in: 20_000..<32_000)
      let configuration = """
        daemon off; master_process off; pid nginx.pid; error_log error.log;
        events {}
        http { access_log off; root \(files.path); sendfile on; keepalive_requests 1000000;
          client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;
          server { listen 127.0.0.1:\(port); } }
        """
      try Data(configuration.utf8).write(to: folder.appending(path: "nginx.conf"))
      let process = Process()
      process.executableURL = URL(filePath: executable)
      process.arguments = ["-p", folder.path, "-c", "nginx.conf"]
      process.standardError = FileHandle.nullDevice
      try process.run()
      let url = "http://127.0.0.1:\(port)"
      for _ in 0..<200 where process.isRunning {
        if (try? runAgain(["-s", "-o", "/dev/null", "-I", url], program: "/usr/bin/curl")) != nil {
          self.url = url
          self.process = process
          return
        }
        Thread.sleep(forTimeInterval: 0.02)
      }
      kill(process.processIdentifier, SIGKILL)
    }
    throw CocoaError(.fileReadUnknown)
  }

  func stop() {
    // It inherits the signal mask of the thread that started it, where SIGTERM is blocked.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }
}
