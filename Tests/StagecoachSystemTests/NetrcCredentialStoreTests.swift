import Stagecoach
import StagecoachSystem
import Testing

@Suite struct NetrcCredentialStoreTests {
  @Test func aHostIsBoundToItsFirstOrigin() async throws {
    let file = try NetrcFile(
      "machine h login ada password secret\nmachine ::1 login six password x\ndefault login d"
    )
    let store = NetrcCredentialStore(file)
    func user(_ origin: String, _ store: NetrcCredentialStore) throws -> String? {
      let origin = try TargetURI(parsing: origin).origin
      return store.credential(for: ProtectionSpace(origin: origin, realm: "r"))?.user
    }
    #expect(try user("http://h", store) == nil)
    #expect(try user("https://h:8443", store) == "ada")
    #expect(try user("https://h", store) == nil)
    #expect(try user("https://h:8443", store) == "ada")
    #expect(try user("http://[::1]:99", store) == "six")
    #expect(try user("https://other", store) == nil)
    #expect(
      try user("http://other", NetrcCredentialStore(file, allowsPlainHTTP: true, usesDefault: true)) == "d"
    )
  }

  @Test func aHostBehindADefaultIsFound() throws {
    let file = try NetrcFile("default login any password 1\nmachine h login ada password 2")
    let space = try ProtectionSpace(origin: TargetURI(parsing: "https://h").origin, realm: "r")
    for usesDefault in [false, true] {
      let store = NetrcCredentialStore(file, usesDefault: usesDefault)
      #expect(store.credential(for: space)?.user == "ada")
    }
  }
}
