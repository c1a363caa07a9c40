import Foundation

/// A forward proxy that is not ours: squid from the system's packages, on a free port. It knows this machine as
/// `localhost` and as `elsewhere.test`.
package final class Squid {
  package static let executable = ["/usr/sbin/squid", "/opt/homebrew/sbin/squid"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// How it asks for the name `driver` and the password `secret`.
  package enum Guard: String, Sendable, CaseIterable {
    case nobody
    case basic
    /// With Digest; it would take Basic too.
    case digest
  }

  package let port: Int
  private let process: ChildProcess
  private let folder: URL
  private let service: String

  /// - Parameters:
  ///   - access: Whom it serves.
  ///   - nonceUses: How often a nonce of Digest may be used.
  package init(_ access: Guard = .nobody, nonceUses: Int = 3) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "stagecoach-squid-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    port = try freePort()
    // Its shared memory bears this name.
    service = "stagecoach\(UInt32.random(in: 0 ... .max))"
    let passwords = folder.appending(path: "passwords")
    try Data("driver:$apr1$abcdefgh$h9FWgUz3n9YxylKLlR5SQ/\n".utf8).write(to: passwords)
    let digests = folder.appending(path: "digests")
    try Data("driver:depot:cb1f7ac3074f240ddc1778ca272ef03d\n".utf8).write(to: digests)
    let hosts = folder.appending(path: "hosts")
    try Data("127.0.0.1 localhost elsewhere.test\n".utf8).write(to: hosts)
    let digest = """
      auth_param digest program \(try Self.helper("digest_file_auth")) -c \(digests.path)
      auth_param digest children 1
      auth_param digest realm depot
      auth_param digest nonce_max_count \(nonceUses)
      """
    let known = """
      \(access == .digest ? digest : "")
      auth_param basic program \(try Self.helper("basic_ncsa_auth")) \(passwords.path)
      acl known proxy_auth REQUIRED
      http_access allow known
      http_access deny all
      """
    // Squid writes it as another user if it is started by root.
    let log = folder.appending(path: "access.log")
    try Data().write(to: log)
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: log.path)
    let configuration = """
      http_port 127.0.0.1:\(port)
      pid_filename none
      hosts_file \(hosts.path)
      cache_log /dev/null
      access_log stdio:\(log.path)
      cache deny all
      pinger_enable off
      shutdown_lifetime 0 seconds
      via off
      forwarded_for delete
      \(access == .nobody ? "http_access allow all" : known)

      """
    let file = folder.appending(path: "squid.conf")
    try Data(configuration.utf8).write(to: file)
    process = try ChildProcess([
      Self.executable.orNotInstalled("squid"), "-N", "-n", service, "-f", file.path,
    ])
  }

  private static func helper(_ name: String) throws -> String {
    try ["/usr/lib/squid/\(name)", "/opt/homebrew/libexec/\(name)"]
      .first { FileManager.default.isExecutableFile(atPath: $0) }
      .orNotInstalled(name)
  }

  /// Waits until it listens, which takes a moment.
  package func isListening() async throws {
    try await waitForServer(on: port, log: folder.appending(path: "cache.log"))
  }

  /// The lines of its access log, such as `... TCP_DENIED/407 ... CONNECT host:443 ...`, without connections that made no
  /// request.
  package func log() throws -> [String] {
    try String(contentsOf: folder.appending(path: "access.log"), encoding: .utf8)
      .split(separator: "\n").map(String.init).filter { !$0.contains("error:") }
  }

  package func stop() {
    process.stop()
    try? FileManager.default.removeItem(at: folder)
    let shared = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/shm")) ?? []
    for name in shared where name.hasPrefix("\(service)-") {
      try? FileManager.default.removeItem(atPath: "/dev/shm/\(name)")
    }
  }
}
