import Foundation

/// A server that is not ours: lighttpd from the system's packages, on a free port, in a folder of its own.
///
/// The file `i` in `/sha/` wants Digest with SHA-256 and a hashed name, that in `/many/` Digest with SHA-512/256,
/// SHA-256 or MD5, that in `/basic/` Basic, for `driver` with the password `secret` in the realm `depot`.
package final class Lighttpd {
  package static let executable = ["/usr/sbin/lighttpd", "/opt/homebrew/bin/lighttpd"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  package let port: Int
  package var url: String { "http://127.0.0.1:\(port)/" }
  private let process: ChildProcess
  private let folder: URL

  package init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "stagecoach-lighttpd-\(UUID())")
    for space in ["sha", "many", "basic"] {
      let root = folder.appending(path: "www/\(space)")
      try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
      try Data("ok\n".utf8).write(to: root.appending(path: "i"))
    }
    // H(user:realm:password) and, for the hashed name, H(user:realm).
    let key = "6291191af160ca56cbf726c0229fe765f3b05c7f377c90fd42271d7125bdc6e3"
    let name = "380441fe87606c2909f14e1dbf5ef7f50cd3e4584d7d9d382f582f1b7b923fee"
    try Data("driver:depot:\(key):\(name)\n".utf8).write(to: folder.appending(path: "digest.pw"))
    try Data("driver:secret\n".utf8).write(to: folder.appending(path: "plain.pw"))
    port = try freePort()
    let access = #""realm" => "depot", "require" => "valid-user""#
    let configuration = """
      server.port = \(port)
      server.bind = "127.0.0.1"
      server.document-root = "\(folder.path)/www"
      server.errorlog = "\(folder.path)/error.log"
      server.modules = ("mod_auth", "mod_authn_file")
      auth.backend.htdigest.userfile = "\(folder.path)/digest.pw"
      auth.backend.plain.userfile = "\(folder.path)/plain.pw"
      $HTTP["url"] =~ "^/sha/" { auth.backend = "htdigest" } else { auth.backend = "plain" }
      auth.require = (
        "/sha/" => ("method" => "digest", \(access), "algorithm" => "SHA-256", "userhash" => "enable"),
        "/many/" => ("method" => "digest", \(access), "algorithm" => "SHA-512-256|SHA-256|MD5"),
        "/basic/" => ("method" => "basic", \(access))
      )

      """
    let file = folder.appending(path: "lighttpd.conf")
    try Data(configuration.utf8).write(to: file)
    process = try ChildProcess([Self.executable.orNotInstalled("lighttpd"), "-D", "-f", file.path])
  }

  /// Waits until it listens, which takes a moment.
  package func isListening() async throws {
    try await waitForServer(on: port, log: folder.appending(path: "error.log"))
  }

  package func stop() {
    process.stop()
    try? FileManager.default.removeItem(at: folder)
  }
}
