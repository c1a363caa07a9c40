/// The proxy's side of SOCKS 5 (RFC 1928) on a connection, which itself is where it leads to.
struct SOCKSPeer {
  /// The host that a client asks to connect to.
  enum Host: Hashable {
    case name(String)
    case address([UInt8])
  }

  /// The requested host.
  let host: Host
  let port: Int
  /// The user name (RFC 1929); `nil` if it was not requested.
  let user: String?
  private let wire: WireConnection

  /// Authenticates the client, and reads its request.
  ///
  /// - Parameter password: The required password; `nil` to accept all clients.
  init(_ wire: WireConnection, password: String? = nil) throws {
    self.wire = wire
    guard try wire.read(1) == [5] else { throw WireError.unexpected("no greeting of SOCKS 5") }
    let methods = try Self.readCounted(wire)
    let method: UInt8 = password == nil ? 0 : 2
    guard methods.contains(method) else {
      throw WireError.unexpected("the client offers the methods \(methods), and not \(method)")
    }
    try wire.send([5, method])
    user = try password.map { try Self.readUser(wire, password: $0) }
    let request = try wire.read(4)
    guard request[..<3] == [5, 1, 0] else { throw WireError.unexpected("\(request) is no CONNECT") }
    host =
      switch request[3] {
      case 1: .address(try wire.read(4))
      case 3: .name(String(decoding: try Self.readCounted(wire), as: UTF8.self))
      case 4: .address(try wire.read(16))
      default: throw WireError.unexpected("there is no type of address \(request[3])")
      }
    port = try wire.read(2).reduce(0) { $0 << 8 | Int($1) }
  }

  /// Reads bytes that follow their count.
  private static func readCounted(_ wire: WireConnection) throws -> [UInt8] {
    try wire.read(Int(try wire.read(1)[0]))
  }

  private static func readUser(_ wire: WireConnection, password: String) throws -> String {
    guard try wire.read(1) == [1] else { throw WireError.unexpected("no name and password") }
    let user = String(decoding: try readCounted(wire), as: UTF8.self)
    let isRight = try readCounted(wire) == Array(password.utf8)
    try wire.send([1, isRight ? 0 : 1])
    guard isRight else { throw WireError.unexpected("the password is wrong") }
    return user
  }

  /// Says that the connection is there.
  func leadOn() throws {
    try answer(0)
  }

  /// Replies that there is no connection; by default, that nothing listens there.
  func refuse(_ reply: UInt8 = 5) throws {
    try answer(reply)
  }

  private func answer(_ code: UInt8) throws {
    // With the address that the connection comes from, of which nobody makes use.
    try wire.send([5, code, 0, 1, 127, 0, 0, 1, 0, 80])
  }
}
