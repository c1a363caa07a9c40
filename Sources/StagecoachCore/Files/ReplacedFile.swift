#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The permissions and the owner of a file that a new one is about to replace.
package struct ReplacedFile: Sendable {
  /// The permission bits.
  package let permissions: UInt16
  private let user: uid_t
  private let group: gid_t

  /// Reads them from a path; `nil` unless it is a regular file. A symbolic link is not followed.
  package init?(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    permissions = UInt16(status.st_mode & 0o777)
    user = status.st_uid
    group = status.st_gid
  }

  /// Gives an open file the owner, the group and the permissions of the replaced one. An owner or a group that the
  /// process may not set stays; members of another group then get the permissions of others.
  package func passOn(to descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return }
    var bits = mode_t(permissions)
    if status.st_gid != group, fchown(descriptor, uid_t.max, group) != 0 {
      bits = bits & ~0o070 | (bits & 0o007) << 3
    }
    if status.st_uid != user { _ = fchown(descriptor, user, gid_t.max) }
    _ = fchmod(descriptor, bits)
  }
}
