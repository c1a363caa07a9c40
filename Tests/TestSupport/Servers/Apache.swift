import Foundation

/// A server that is not ours: Apache httpd from the system's packages, on a free port, in a folder of its own.
///
/// The file `i` in `/basic/` wants Basic, that in `/digest/` Digest with MD5, for `driver` with the password
/// `secret` in the realm `depot`; it refuses a nonce count that is not higher than the last. `/301` and the other
/// four redirect to the file in `/basic/`.
package final class Apache {
  private static let executable = ["/usr/sbin/apache2", "/usr/sbin/httpd"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }
  private static let modules = ["/usr/lib/apache2/modules", "/usr/lib64/httpd/modules"]
    .first { FileManager.default.fileExists(atPath: "\($0)/mod_auth_digest.so") }
  package static let isInstalled = executable != nil && modules != nil

  package let port: Int
  package var url: String { "http://127.0.0.1:\(port)/" }
  private let process: ChildProcess
  private let folder: URL

  /// - Parameter nonceLifetime: For how many seconds a nonce is good; 0 for one request.
  package init(nonceLifetime: Int = 300) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "stagecoach-apache-\(UUID())")
    for space in ["basic", "digest"] {
      let root = folder.appending(path: "www/\(space)")
      try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
      try Data("ok\n".utf8).write(to: root.appending(path: "i"))
    }
    // It gives up the rights of root before it writes there.
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
    try Data("driver:$apr1$abcdefgh$h9FWgUz3n9YxylKLlR5SQ/\n".utf8)
      .write(to: folder.appending(path: "basic.pw"))
    try Data("driver:depot:cb1f7ac3074f240ddc1778ca272ef03d\n".utf8).write(
      to: folder.appending(path: "digest.pw")
    )
    port = try freePort()
    let modules = try Self.modules.orNotInstalled("Apache httpd")
    let names = [
      "mpm_event", "authn_core", "authn_file", "authz_core", "authz_user", "auth_basic", "auth_digest",
      "slotmem_shm", "alias",
    ]
    let configuration = """
      \(names.map { "LoadModule \($0)_module \(modules)/mod_\($0).so" }.joined(separator: "\n"))
      ServerName localhost
      Listen 127.0.0.1:\(port)
      PidFile \(folder.path)/pid
      ErrorLog \(folder.path)/error.log
      DefaultRuntimeDir \(folder.path)
      DocumentRoot \(folder.path)/www
      User www-data
      Group www-data
      StartServers 1
      AuthDigestShmemSize 16777216
      <Location /basic>
      AuthType Basic
      AuthName depot
      AuthUserFile \(folder.path)/basic.pw
      Require valid-user
      </Location>
      <Location /digest>
      AuthType Digest
      AuthName depot
      AuthUserFile \(folder.path)/digest.pw
      AuthDigestDomain /digest
      AuthDigestNcCheck On
      AuthDigestNonceLifetime \(nonceLifetime)
      Require valid-user
      </Location>
      \([301, 302, 303, 307, 308].map { "RedirectMatch \($0) ^/\($0)$ /basic/i" }.joined(separator: "\n"))

      """
    let file = folder.appending(path: "httpd.conf")
    try Data(configuration.utf8).write(to: file)
    process = try ChildProcess([
      Self.executable.orNotInstalled("Apache httpd"), "-f", file.path, "-DFOREGROUND",
    ])
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
