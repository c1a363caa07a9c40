import StagecoachFormats
import TestSupport
import Testing

@Suite struct HashFunctionTests {
  /// FIPS 180-4 examples, and around the ends of blocks what coreutils computes.
  @Test(arguments: [
    ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ("x", 55, "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072"),
    ("x", 56, "04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e"),
    ("x", 57, "ae14a2563ccf969d99aca69ce6bb74981f734bbf9f655f73b8f06db68cab5217"),
    ("x", 63, "75220b47218278e656f2013bb8f0c455a25eaf01e86c64924e9d48d89776d6f2"),
    ("x", 64, "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c"),
    ("x", 65, "9537c5fdf120482f7d58d25e9ed583f52c02b4e304ea814db1633ad565aed7e9"),
    ("x", 119, "000b48d4edf0fa7bee3c6236ecd2785baa5db4eeb8bb54341b029e0d9fa5fb0c"),
    ("x", 120, "13f05a0b594787f5ecd315edc96141bd3243203d1b7d4f0836f37308b276ba98"),
    ("x", 128, "24da1b81d0b16df6428eee73c69fcb2a93c76bc6df706f0c6670fe6bfe800464"),
  ])
  func computesSHA256(text: String, times: Int, digest: String) {
    check(SHA256.self, text, times, digest)
  }

  /// RFC 1321 A.5, and around the ends of blocks what coreutils computes.
  @Test(
    arguments: [
      ("", 1, "d41d8cd98f00b204e9800998ecf8427e"),
      ("a", 1, "0cc175b9c0f1b6a831c399e269772661"),
      ("abc", 1, "900150983cd24fb0d6963f7d28e17f72"),
      ("message digest", 1, "f96b697d7cb7938d525a2f31aaf161d0"),
      ("abcdefghijklmnopqrstuvwxyz", 1, "c3fcd3d76192e4007dfb496cca67e13b"),
      (
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", 1,
        "d174ab98d277d9f5a5611c2c9f419d9f"
      ),
      ("1234567890", 8, "57edf4a22be3c955ac49da2e2107b67a"),
      ("x", 55, "04364420e25c512fd958a70738aa8f72"),
      ("x", 56, "668a72d5ba17f08e62dabcafad6db14b"),
      ("x", 57, "693037871c4a9d3d8685018905cb530a"),
      ("x", 63, "7dc2ca208106a2f703567bdff99d8981"),
      ("x", 64, "c1bb4f81d892b2d57947682aeb252456"),
      ("x", 65, "1bc932052302d074bdec39795fe00cf6"),
      ("x", 119, "ab347a5f68c8a443cfcddc633f12c24f"),
      ("x", 120, "fb98667f98096de92620b64f46e1c5b5"),
      ("x", 128, "d69cb61a6ee87200676eb0d4b90edbcb"),
      ("a", 1000000, "7707d6ae4e027c70eea2a935c2296f21"),
    ]
  )
  func computesMD5(text: String, times: Int, digest: String) {
    check(MD5.self, text, times, digest)
  }

  /// The examples of FIPS 180-4, and around the ends of blocks what OpenSSL computes.
  @Test(
    arguments: [
      ("", 1, "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a"),
      ("abc", 1, "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        1,
        "3928e184fb8690f840da3988121d31be65cb9d3ef83ee6146feac861e19b563a"
      ),
      ("x", 111, "79a6132b3c9df0f7dfcb5c9c3c663d829a6e7f1c26440afa4eb49cfef669c8ea"),
      ("x", 112, "5349e8f46fcc4e650fe93ee6cd1459ff00c27733cc6f86c1925ceef63bece149"),
      ("x", 113, "b058f419f1952d5116e31373eae3229be5aa3283645801671619f23f771cd163"),
      ("x", 127, "fdd3cc6eb81f7da2e82bce47b75ef26f881d7118e9d968baaefea61764d70a42"),
      ("x", 128, "6c0dfa95c650de7bb33dedd62fe0b0363f5deec77c582a216c7e33253f59a518"),
      ("x", 129, "32bfe612284b067af66790fc1f422108b4bcd670b698de913465b3e75a5c0078"),
      ("x", 239, "3627d7a2f2e67bb7923f57d4afe5c35c9aec7c8e0f0e536a26ad5bbd0bfaac66"),
      ("x", 240, "d26144396797444999c7cc520210ea92966e88ef1ff227009889ae5c081adf45"),
      ("x", 256, "27781c02bbf24193a854451216496406bd0ce448d3092eac357ef8873c054ba2"),
      ("a", 1000000, "9a59a052930187a97038cae692f30708aa6491923ef5194394dc68d56c74fb21"),
    ]
  )
  func computesSHA512T256(text: String, times: Int, digest: String) {
    check(SHA512_256.self, text, times, digest)
  }

  private func check<Function: HashFunction>(_: Function.Type, _ text: String, _ times: Int, _ digest: String)
  {
    let data = Array(String(repeating: text, count: times).utf8)
    #expect(Function.hash(data).hexadecimal == digest)
    // Not in one piece of memory.
    #expect(Function.hash(data.lazy.map { $0 }).hexadecimal == digest)
  }

  /// However the input is cut, the digest is the same, and asking for it changes nothing.
  @Test func piecesGiveTheSameDigest() {
    expectIndependence(MD5.self)
    expectIndependence(SHA256.self)
    expectIndependence(SHA512_256.self)
  }

  private func expectIndependence<Function: HashFunction>(_: Function.Type) {
    var random = SplitMix(state: 3)
    let data = (0..<1000).map { _ in UInt8.random(in: 0...255, using: &random) }
    for _ in 0..<50 {
      var function = Function()
      var position = 0
      while position < data.count {
        let end = min(data.count, position + Int.random(in: 0...300, using: &random))
        function.update(Bytes(data[position..<end]))
        position = end
        #expect(function.digest() == Function.hash(data[..<end]))
      }
    }
  }
}
