import HTTPTypes
import Stagecoach
import TestSupport
import Testing

@Suite struct AuthenticationInfoTests {
  @Test func readsAllParameters() throws {
    let info = try #require(
      read(#"nextnonce="n, 2", RspAuth="0a", cnonce="c" , nc=0000000f,, qop=auth-int, new=x"#)
    )
    #expect(info.nextNonce == "n, 2")
    #expect(info.responseProof == "0a")
    #expect(info.clientNonce == "c")
    #expect(info.nonceCount == 15)
    #expect(info.quality == "auth-int")
    #expect(info[parameter: "NEW"] == "x")
    #expect(info[parameter: "old"] == nil)
  }

  @Test func emptyAndMalformedParametersAreNil() throws {
    let info = try #require(read("nextnonce=\"\", nc=x"))
    #expect(info.nextNonce == nil)
    #expect(info.nonceCount == nil)
    #expect(info.responseProof == nil)
    #expect(info.clientNonce == nil)
    #expect(info.quality == nil)
  }

  @Test(arguments: [
    ("nextnonce=a nc=1", ["nextnonce=a", "nc=1"]), ("junk, nextnonce=a", ["nextnonce=a"]),
    ("@, nextnonce=a b, x", ["nextnonce=a b"]), ("nc=1, nc=1", ["nc=1"]),

    ("nextnonce=\"a", ["nextnonce=a"]),
  ])
  func readsTheFieldsOfBrokenServers(value: String, parameters: [String]) throws {
    let info = try #require(read(value))
    #expect(info.parameters.map { "\($0.name)=\($0.value)" } == parameters)
  }

  @Test(arguments: ["", ",", "junk", "Digest nextnonce=a", "nc=1, nc=2", "nc=\u{1}", "=x"])
  func aFieldWithoutParametersIsNil(value: String) {
    #expect(read(value) == nil)
  }

  @Test func combinesSeveralFieldsOfOneName() throws {
    var fields = HTTPFields()
    fields.append(HTTPField(name: .proxyAuthenticationInfo, value: "nextnonce=proxy"))
    #expect(AuthenticationInfo(fields, .authenticationInfo) == nil)
    fields.append(HTTPField(name: .authenticationInfo, value: "nextnonce=a"))
    fields.append(HTTPField(name: .authenticationInfo, value: "nc=1, nextnonce=a"))
    #expect(AuthenticationInfo(fields, .authenticationInfo)?.parameters.map(\.name) == ["nextnonce", "nc"])
    #expect(AuthenticationInfo(fields, .proxyAuthenticationInfo)?.nextNonce == "proxy")
    fields.append(HTTPField(name: .authenticationInfo, value: "nc=2"))
    #expect(AuthenticationInfo(fields, .authenticationInfo) == nil)
  }

  private func read(_ value: String) -> AuthenticationInfo? {
    // As a transport would pass them on: also with octets that no field should hold.
    AuthenticationInfo(
      HTTPFields([HTTPField(name: .authenticationInfo, lenientValue: Array(value.utf8))]),
      .authenticationInfo
    )
  }
}
