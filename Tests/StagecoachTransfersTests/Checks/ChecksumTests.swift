import StagecoachCore
import Testing

@testable import StagecoachTransfers

struct ChecksumTests {
  /// The vectors of FIPS 180-4 and RFC 1321 for "abc".
  @Test(arguments: [
    (Checksum.Algorithm.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      .sha512,
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
    (.md5, "900150983cd24fb0d6963f7d28e17f72"),
  ])
  func computesTheVectors(algorithm: Checksum.Algorithm, digits: String) {
    var hash = algorithm.makeHash()
    for byte in "abc".utf8 { hash.update(Bytes([byte])) }
    #expect(Checksum(algorithm, hash.digest())?.description == "\(algorithm.rawValue):\(digits)")
    #expect(Checksum("\(algorithm):\(digits.uppercased())") == Checksum(algorithm, hash.digest()))
  }

  @Test func computesTheSHA512OfAMillionBytes() {
    var hash = SHA512()
    let bytes = Bytes([UInt8](repeating: UInt8(ascii: "a"), count: 10_000))
    for _ in 0..<100 { hash.update(bytes) }
    #expect(
      hash.digest().hexadecimal
        == "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
        + "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b"
    )
  }

  @Test(arguments: [
    "", "sha-256", "sha-256:", "sha-256:00", "sha-1:0000", "md5:g00150983cd24fb0d6963f7d28e17f72",
    ":900150983cd24fb0d6963f7d28e17f72", "md5:900150983cd24fb0d6963f7d28e17f7200",
  ])
  func refusesAMalformedChecksum(text: String) {
    #expect(Checksum(text) == nil)
  }

  /// The field of RFC 9530 B.1, of `{"hello": "world"}` and a line feed.
  @Test func readsDigestFields() {
    let field = "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:"
    let checksum = Checksum(digestField: field)
    var hash = SHA256()
    hash.update(Bytes("{\"hello\": \"world\"}\n"))
    #expect(checksum == Checksum(.sha256, hash.digest()))
    #expect(Checksum(digestField: "unknown=:AAAA:, \(field);x=1")?.algorithm == .sha256)
    #expect(Checksum(digestField: "md5=:kAFQmDzST7DWlj99KOF/cg==:") == nil)
    #expect(Checksum(digestField: "sha-256=:AAAA:") == nil)
    #expect(Checksum(digestField: "sha-256=?1") == nil)
    #expect(Checksum(digestField: "") == nil)
  }
}
