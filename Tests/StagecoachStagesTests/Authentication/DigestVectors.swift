import Testing

/// A vector of Digest authentication: its inputs, and the digests on the way to the response. Those of RFC 7616 3.9
/// (3.9.2 as erratum 4897 corrects it), RFC 2617, and own ones, all computed by two other programs.
struct DigestVector: Sendable, CustomTestStringConvertible {
  var id: String
  var user: String
  var password: String
  var realm: String
  var charset: String = "utf-8"
  var algorithm: String? = "MD5"
  var method: String = "GET"
  var uri: String
  var nonce: String
  var quality: String? = "auth"
  var count: String? = "00000001"
  var clientNonce: String?
  var opaque: String?
  var wantsUserHash = false
  var body: String?
  var responseBody: String?
  var key: String
  var proof: String
  var bodyDigest: String?
  var userHash: String?
  var extendedUser: String?
  var userParameter: String?
  var realmParameter: String?
  var serverProof: String?

  var testDescription: String { id }
}

extension DigestVector {
  static let all: [DigestVector] = rfc + own + corners

  private static let rfc: [DigestVector] = [
    DigestVector(
      id: "rfc7616-3.9.1-md5",
      user: "Mufasa",
      password: "Circle of Life",
      realm: "http-auth@example.org",
      uri: "/dir/index.html",
      nonce: "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v",
      clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ",
      opaque: "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS",
      key: "3d78807defe7de2157e2b0b6573a855f",
      proof: "8ca523f5e9506fed4657c9700eebdbec"
    ),
    DigestVector(
      id: "rfc7616-3.9.1-sha256",
      user: "Mufasa",
      password: "Circle of Life",
      realm: "http-auth@example.org",
      algorithm: "SHA-256",
      uri: "/dir/index.html",
      nonce: "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v",
      clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ",
      opaque: "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS",
      key: "7987c64c30e25f1b74be53f966b49b90f2808aa92faf9a00262392d7b4794232",
      proof: "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"
    ),
    DigestVector(
      id: "rfc7616-3.9.2-sha512-256-corrected",
      user: "Jäsøn Doe",
      password: "Secret, or not?",
      realm: "api@example.org",
      algorithm: "SHA-512-256",
      uri: "/doe.json",
      nonce: "5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK",
      clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v",
      opaque: "HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS",
      wantsUserHash: true,
      key: "2d3d9f12c9f3d30011259dc5fecee005ae24de40e3e1f61806d03e65f1e6024f",
      proof: "3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5",
      userHash: "793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b"
    ),
    DigestVector(
      id: "rfc7616-3.9.2-no-userhash",
      user: "Jäsøn Doe",
      password: "Secret, or not?",
      realm: "api@example.org",
      algorithm: "SHA-512-256",
      uri: "/doe.json",
      nonce: "5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK",
      clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v",
      key: "2d3d9f12c9f3d30011259dc5fecee005ae24de40e3e1f61806d03e65f1e6024f",
      proof: "3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5",
      extendedUser: "UTF-8''J%C3%A4s%C3%B8n%20Doe"
    ),
    DigestVector(
      id: "rfc2617-3.5",
      user: "Mufasa",
      password: "Circle Of Life",
      realm: "testrealm@host.com",
      algorithm: nil,
      uri: "/dir/index.html",
      nonce: "dcd98b7102dd2f0e8b11d0f600bfb0c093",
      clientNonce: "0a4f113b",
      opaque: "5ccc069c403ebaf9f0171e9517f40e41",
      key: "939e7578ed9e3c518a452acee763bce9",
      proof: "6629fae49393a05397450978507c4ef1"
    ),
    DigestVector(
      id: "rfc2069-legacy",
      user: "Mufasa",
      password: "Circle Of Life",
      realm: "testrealm@host.com",
      algorithm: nil,
      uri: "/dir/index.html",
      nonce: "dcd98b7102dd2f0e8b11d0f600bfb0c093",
      quality: nil,
      count: nil,
      key: "939e7578ed9e3c518a452acee763bce9",
      proof: "670fd8c2df070c60b045671b8b24ff02"
    ),
  ]

  private static let own: [DigestVector] = [
    DigestVector(
      id: "own-md5-noqop",
      user: "Jürgen Ł",
      password: "päss:wörd €",
      realm: "depot ñ",
      uri: "/lines/7?from=Z%C3%BCrich&to=a%20b&x=1",
      nonce: "MTc2MzcxNjAwMDo3ZTQ5YzE=",
      quality: nil,
      count: nil,
      key: "207813a352e150d2d10e5b19a75c2d68",
      proof: "57d6047fa27e6b8a6f67d4d580359a2e",
      userHash: "afcfc71235e77541cb84b53f3fbf14c7",
      extendedUser: "UTF-8''J%C3%BCrgen%20%C5%81"
    ),
    DigestVector(
      id: "own-md5-auth",
      user: "Jürgen Ł",
      password: "päss:wörd €",
      realm: "depot ñ",
      uri: "/lines/7?from=Z%C3%BCrich&to=a%20b&x=1",
      nonce: "MTc2MzcxNjAwMDo3ZTQ5YzE=",
      clientNonce: "c0ffee5eedc0de42",
      key: "207813a352e150d2d10e5b19a75c2d68",
      proof: "715affcfd9bfcc2100d737efc7ff626a",
      userHash: "afcfc71235e77541cb84b53f3fbf14c7",
      extendedUser: "UTF-8''J%C3%BCrgen%20%C5%81",
      serverProof: "e483d5abd8c546823b60ca75fd5c57cc"
    ),
    DigestVector(
      id: "own-md5-auth-int",
      user: "Jürgen Ł",
      password: "päss:wörd €",
      realm: "depot ñ",
      method: "POST",
      uri: "/lines/7?from=Z%C3%BCrich&to=a%20b&x=1",
      nonce: "MTc2MzcxNjAwMDo3ZTQ5YzE=",
      quality: "auth-int",
      clientNonce: "c0ffee5eedc0de42",
      body: #"{"stop":"Zürich","n":1}"#,
      responseBody: #"{"ok":true}"#,
      key: "207813a352e150d2d10e5b19a75c2d68",
      proof: "09a6e8d6a0599f5753d38ce664935d11",
      bodyDigest: "397df3a1ccbfa2c16dcaa4001c4f0f52",
      userHash: "afcfc71235e77541cb84b53f3fbf14c7",
      extendedUser: "UTF-8''J%C3%BCrgen%20%C5%81",
      serverProof: "078b2550e5a05187d94b86634832d3ab"
    ),
    DigestVector(
      id: "own-md5-sess-noqop",
      user: "Jürgen Ł",
      password: "päss:wörd €",
      realm: "depot ñ",
      algorithm: "MD5-sess",
      uri: "/lines/7?from=Z%C3%BCrich&to=a%20b&x=1",
      nonce: "MTc2MzcxNjAwMDo3ZTQ5YzE=",
      quality: nil,
      count: nil,
      clientNonce: "c0ffee5eedc0de42",
      key: "2aa614069e023b6720db96c06b499c3b",
      proof: "45f6e75fd597fa2df29d03f8abd85670",
      userHash: "afcfc71235e77541cb84b53f3fbf14c7",
      extendedUser: "UTF-8''J%C3%BCrgen%20%C5%81"
    ),
    DigestVector(
      id: "own-md5-sess-auth",
      user: "Jürgen Ł",
      password: "päss:wörd €",
      realm: "depot ñ",
      algorithm: "MD5-sess",
      uri: "/lines/7?from=Z%C3%BCrich&to=a%20b&x=1",
      nonce: "MTc2MzcxNjAwMDo3ZTQ5YzE=",
      clientNonce: "c0ffee5eedc0de42",
      key: "2aa614069e023b6720db96c06b499c3b",
      proof: "836f138b097b02d6759a78607caad76a",
      userHash: "afcfc71235e77541cb84b53f3fbf14c7",
      extendedUser: "UTF-8''J%C3%BCrgen%20%C5%81",
      serverProof: "85944284011caa3b0411bcead7a811cb"
    ),
    DigestVector(
      id: "own-md5-sess-auth-int",
      user: "Jürgen Ł",
      password: "päss:wörd €",
      realm: "depot ñ",
      algorithm: "MD5-sess",
      method: "POST",
      uri: "/lines/7?from=Z%C3%BCrich&to=a%20b&x=1",
      nonce: "MTc2MzcxNjAwMDo3ZTQ5YzE=",
      quality: "auth-int",
      clientNonce: "c0ffee5eedc0de42",
      body: #"{"stop":"Zürich","n":1}"#,
      responseBody: #"{"ok":true}"#,
      key: "2aa614069e023b6720db96c06b499c3b",
      proof: "08b58166e648b03eec323f93e22e62fc",
      bodyDigest: "397df3a1ccbfa2c16dcaa4001c4f0f52",
      userHash: "afcfc71235e77541cb84b53f3fbf14c7",
      extendedUser: "UTF-8''J%C3%BCrgen%20%C5%81",
      serverProof: "7e9f358289fb9e793d19d613640e9ded"
    ),
    DigestVector(
      id: "own-sha-256-noqop",
      user: "Jürgen Ł",
      password: "päss:wörd €",
      realm: "depot ñ",
      algorithm: "SHA-256",
      uri: "/lines/7?from=Z%C3%BCrich&to=a%20b&x=1",
      nonce: "MTc2MzcxNjAwMDo3ZTQ5YzE=",
      quality: nil,
      count: nil,
      key: "93390b11988b879715e6b17d070970b9901aa7124a2cdf6c22d1a963d60b62c7",
      proof: "39cab8ada7bd285a56daa828e6cbb801a1b307eb1feb074f0e6a4c20017dd0a1",
      userHash: "bfccc4fabcc73eeb7ce89c8f5755ff73f781d895b5e8a4342f051126d4573c2a",
      extendedUser: "UTF-8''J%C3%BCrgen%20%C5%81"
    ),
    DigestVector(
      id: "own-sha-256-auth",
      user: "Jürgen Ł",
      password: "päss:wörd €",
      realm: "depot ñ",
      algorithm: "SHA-256",
      uri: "/lines/7?from=Z%C3%BCrich&to=a%20b&x=1",
      nonce: "MTc2MzcxNjAwMDo3ZTQ5YzE=",
      clientNonce: "c0ffee5eedc0de42",
      key: "93390b11988b879715e6b17d070970b9901aa7124a2cdf6c22d1a963d60b62c7",
      proof: "c8e339d502a693a053060c934abcbbd70ddf30e0cc8c237993f44365d17c73cf",
      userHash: "bfccc4fabcc73eeb7ce89c8f5755ff73f781d895b5e8a4342f051126d4573c2a",
      extendedUser: "UTF-8''J%C3%BCrgen%20%C5%81",
      serverProof: "6757e6b6c7d10c4ecb956456a8eeec4bce4b1e7dd28e305ce214690f9b2b94bf"
    ),
    DigestVector(
      id: "own-sha-256-auth-int",
      user: "Jürgen Ł",
      password: "päss:wörd €",
      realm: "depot ñ",
      algorithm: "SHA-256",
      method: "POST",
      uri: "/lines/7?from=Z%C3%BCrich&to=a%20b&x=1",
      nonce: "MTc2MzcxNjAwMDo3ZTQ5YzE=",
      quality: "auth-int",
      clientNonce: "c0ffee5eedc0de42",
      body: #"{"stop":"Zürich","n":1}"#,
      responseBody: #"{"ok":true}"#,
      key: "93390b11988b879715e6b17d070970b9901aa7124a2cdf6c22d1a963d60b62c7",
      proof: "104b9a26bd76674f7122a3da6dba7ed80bda07eb2a06ef94739d2345906b7680",
      bodyDigest: "20af7049bb9fa347a1116f58380025cefdbebec97aa6d076018f27615c5280f7",
      userHash: "bfccc4fabcc73eeb7ce89c8f5755ff73f781d895b5e8a4342f051126d4573c2a",
      extendedUser: "UTF-8''J%C3%BCrgen%20%C5%81",
      serverProof: "99a407a32c604fab7f46a20e40d0c779249604392ab1c94b4c683fa8fe0e732b"
    ),
    DigestVector(
      id: "own-sha-256-sess-noqop",
      user: "Jürgen Ł",
      password: "päss:wörd €",
      realm: "depot ñ",
      algorithm: "SHA-256-sess",
      uri: "/lines/7?from=Z%C3%BCrich&to=a%20b&x=1",
      nonce: "MTc2MzcxNjAwMDo3ZTQ5YzE=",
      quality: nil,
      count: nil,
      clientNonce: "c0ffee5eedc0de42",
      key: "7859d341d37709a30d54d6e1f560286b01b4f419d31ffabd12df26809356c9ad",
      proof: "477449cd51b701ea6c304ba27bba7cfc36ceec3c405173ccd2dcf8dd7361855e",
      userHash: "bfccc4fabcc73eeb7ce89c8f5755ff73f781d895b5e8a4342f051126d4573c2a",
      extendedUser: "UTF-8''J%C3%BCrgen%20%C5%81"
    ),
    DigestVector(
      id: "own-sha-256-sess-auth",
      user: "Jürgen Ł",
      password: "päss:wörd €",
      realm: "depot ñ",
      algorithm: "SHA-256-sess",
      uri: "/lines/7?from=Z%C3%BCrich&to=a%20b&x=1",
      nonce: "MTc2MzcxNjAwMDo3ZTQ5YzE=",
      clientNonce: "c0ffee5eedc0de42",
      key: "7859d341d37709a30d54d6e1f560286b01b4f419d31ffabd12df26809356c9ad",
      proof: "500085c5cb53484687ec05e7dc28c9fdfb26139871ad3d601f24a52e5d133d12",
      userHash: "bfccc4fabcc73eeb7ce89c8f5755ff73f781d895b5e8a4342f051126d4573c2a",
      extendedUser: "UTF-8''J%C3%BCrgen%20%C5%81",
      serverProof: "7b052b5c80765e2cfba7c78d634f76f6ae4465f2de268cadd07eaf72a13e6bf9"
    ),
    DigestVector(
      id: "own-sha-256-sess-auth-int",
      user: "Jürgen Ł",
      password: "päss:wörd €",
      realm: "depot ñ",
      algorithm: "SHA-256-sess",
      method: "POST",
      uri: "/lines/7?from=Z%C3%BCrich&to=a%20b&x=1",
      nonce: "MTc2MzcxNjAwMDo3ZTQ5YzE=",
      quality: "auth-int",
      clientNonce: "c0ffee5eedc0de42",
      body: #"{"stop":"Zürich","n":1}"#,
      responseBody: #"{"ok":true}"#,
      key: "7859d341d37709a30d54d6e1f560286b01b4f419d31ffabd12df26809356c9ad",
      proof: "9767b6b8e0225687f6fc01c2b767cbb156e4c550d5b8f4649f44272661df0261",
      bodyDigest: "20af7049bb9fa347a1116f58380025cefdbebec97aa6d076018f27615c5280f7",
      userHash: "bfccc4fabcc73eeb7ce89c8f5755ff73f781d895b5e8a4342f051126d4573c2a",
      extendedUser: "UTF-8''J%C3%BCrgen%20%C5%81",
      serverProof: "3d7db3c6cce4baf94c85d25f2438eeae814d78712e0ed02d735de289d5bbc19b"
    ),
    DigestVector(
      id: "own-sha-512-256-noqop",
      user: "Jürgen Ł",
      password: "päss:wörd €",
      realm: "depot ñ",
      algorithm: "SHA-512-256",
      uri: "/lines/7?from=Z%C3%BCrich&to=a%20b&x=1",
      nonce: "MTc2MzcxNjAwMDo3ZTQ5YzE=",
      quality: nil,
      count: nil,
      key: "c4c8b2a00986c572c5e7b284d2b6a7c64801e94c5e2b1d2722a4c954e031ba22",
      proof: "9c676fcc2e23ab5ce0a6dcebbcc007e06d6b834075dc4ab64f201907fc929663",
      userHash: "d5b79cea1211ab8cb8422472be82bdef1ba6a01584c8612a90da557386f89460",
      extendedUser: "UTF-8''J%C3%BCrgen%20%C5%81"
    ),
    DigestVector(
      id: "own-sha-512-256-auth",
      user: "Jürgen Ł",
      password: "päss:wörd €",
      realm: "depot ñ",
      algorithm: "SHA-512-256",
      uri: "/lines/7?from=Z%C3%BCrich&to=a%20b&x=1",
      nonce: "MTc2MzcxNjAwMDo3ZTQ5YzE=",
      clientNonce: "c0ffee5eedc0de42",
      key: "c4c8b2a00986c572c5e7b284d2b6a7c64801e94c5e2b1d2722a4c954e031ba22",
      proof: "e0aaa4e1d8aee77698af29e16704fae10509d7ae22ba517f962ea7fba9f16136",
      userHash: "d5b79cea1211ab8cb8422472be82bdef1ba6a01584c8612a90da557386f89460",
      extendedUser: "UTF-8''J%C3%BCrgen%20%C5%81",
      serverProof: "bfebbf86caf1913474ebed10eb805c1c071fc7256e133df1add8c08fb61fae7e"
    ),
    DigestVector(
      id: "own-sha-512-256-auth-int",
      user: "Jürgen Ł",
      password: "päss:wörd €",
      realm: "depot ñ",
      algorithm: "SHA-512-256",
      method: "POST",
      uri: "/lines/7?from=Z%C3%BCrich&to=a%20b&x=1",
      nonce: "MTc2MzcxNjAwMDo3ZTQ5YzE=",
      quality: "auth-int",
      clientNonce: "c0ffee5eedc0de42",
      body: #"{"stop":"Zürich","n":1}"#,
      responseBody: #"{"ok":true}"#,
      key: "c4c8b2a00986c572c5e7b284d2b6a7c64801e94c5e2b1d2722a4c954e031ba22",
      proof: "6b6bbcd8d8e2600c85b16e59a9e8aebd6bf96d02eeabfce477e8ef611efc058a",
      bodyDigest: "c22fb2f57fe92f9c184ee68b16d3ac7db9fd93ddc2c098d3831561745fc106d8",
      userHash: "d5b79cea1211ab8cb8422472be82bdef1ba6a01584c8612a90da557386f89460",
      extendedUser: "UTF-8''J%C3%BCrgen%20%C5%81",
      serverProof: "f694668e2b2f0075fd59d4260c829bbc2a9c918909157448dae578eae1e9403b"
    ),
    DigestVector(
      id: "own-sha-512-256-sess-noqop",
      user: "Jürgen Ł",
      password: "päss:wörd €",
      realm: "depot ñ",
      algorithm: "SHA-512-256-sess",
      uri: "/lines/7?from=Z%C3%BCrich&to=a%20b&x=1",
      nonce: "MTc2MzcxNjAwMDo3ZTQ5YzE=",
      quality: nil,
      count: nil,
      clientNonce: "c0ffee5eedc0de42",
      key: "21536df2d21f35f2c82187b8461d89c7e1b502c8333c10bbbcf51186a64be55e",
      proof: "38727ae1d3249d6573d1f8543d3734bb052c560dd9b7aaf45283fa2e0311c029",
      userHash: "d5b79cea1211ab8cb8422472be82bdef1ba6a01584c8612a90da557386f89460",
      extendedUser: "UTF-8''J%C3%BCrgen%20%C5%81"
    ),
    DigestVector(
      id: "own-sha-512-256-sess-auth",
      user: "Jürgen Ł",
      password: "päss:wörd €",
      realm: "depot ñ",
      algorithm: "SHA-512-256-sess",
      uri: "/lines/7?from=Z%C3%BCrich&to=a%20b&x=1",
      nonce: "MTc2MzcxNjAwMDo3ZTQ5YzE=",
      clientNonce: "c0ffee5eedc0de42",
      key: "21536df2d21f35f2c82187b8461d89c7e1b502c8333c10bbbcf51186a64be55e",
      proof: "6ce24ef180e5b1978141ad0fe6d7b5396f191ec9cc43b21c33296ea6c2dbf867",
      userHash: "d5b79cea1211ab8cb8422472be82bdef1ba6a01584c8612a90da557386f89460",
      extendedUser: "UTF-8''J%C3%BCrgen%20%C5%81",
      serverProof: "e885a695aed085e3a745bd54d6c9f2278f83113d0a61a63c59666cdc21cd5e21"
    ),
    DigestVector(
      id: "own-sha-512-256-sess-auth-int",
      user: "Jürgen Ł",
      password: "päss:wörd €",
      realm: "depot ñ",
      algorithm: "SHA-512-256-sess",
      method: "POST",
      uri: "/lines/7?from=Z%C3%BCrich&to=a%20b&x=1",
      nonce: "MTc2MzcxNjAwMDo3ZTQ5YzE=",
      quality: "auth-int",
      clientNonce: "c0ffee5eedc0de42",
      body: #"{"stop":"Zürich","n":1}"#,
      responseBody: #"{"ok":true}"#,
      key: "21536df2d21f35f2c82187b8461d89c7e1b502c8333c10bbbcf51186a64be55e",
      proof: "baf61648516c9a070b385adbe0d1cd0b5decb0176059054f6148bad252af5d2a",
      bodyDigest: "c22fb2f57fe92f9c184ee68b16d3ac7db9fd93ddc2c098d3831561745fc106d8",
      userHash: "d5b79cea1211ab8cb8422472be82bdef1ba6a01584c8612a90da557386f89460",
      extendedUser: "UTF-8''J%C3%BCrgen%20%C5%81",
      serverProof: "0264e5ae1b2a9dd5d20cf1232f186f69f66c52cb4290449616fdaaa57aafa57b"
    ),
  ]

  private static let corners: [DigestVector] = [
    DigestVector(
      id: "own-alg-absent-auth",
      user: "driver",
      password: "reins",
      realm: "depot",
      algorithm: nil,
      uri: "/a?b=c&d=e",
      nonce: "n0nce",
      count: "0000000a",
      clientNonce: "cn-1",
      key: "4d3f454f2d19a83cf1039cd7fac01d78",
      proof: "72c8822c7f4c4c7eea83219c41ea282c"
    ),
    DigestVector(
      id: "own-quoted-pair",
      user: #"a"b\c"#,
      password: #"p"w\"#,
      realm: #"say "hi" \o/"#,
      algorithm: "SHA-256",
      uri: "/q?%22=1",
      nonce: "abc==",
      clientNonce: "cn-2",
      key: "c445a351ed3386396f4cecd463f3559c6724fb7161fc51cf8fc760c3de0f2a71",
      proof: "48dbb72ad89878bdf97b282a6bc4f88818c6ac565c234121ea3de61109736ec9",
      userParameter: #"username="a\"b\\c""#,
      realmParameter: #"realm="say \"hi\" \\o/""#
    ),
    DigestVector(
      id: "own-proxy-connect",
      user: "driver",
      password: "reins",
      realm: "proxy",
      algorithm: "SHA-256",
      method: "CONNECT",
      uri: "origin.example:443",
      nonce: "pn",
      clientNonce: "cn-3",
      key: "1c4b04e7772a877ddac15cac3ade76bb9fb83167835a8387942e59d0d0f4e399",
      proof: "419cac41b3a9aa2c76dd12039169b7b435224c970579b81574b3bffd5cc7fd75"
    ),
    DigestVector(
      id: "own-proxy-absolute",
      user: "driver",
      password: "reins",
      realm: "proxy",
      uri: "http://origin.example/a?b=c",
      nonce: "pn",
      count: "00000002",
      clientNonce: "cn-4",
      key: "25a5a21a47e223f2f98a034c60c0dbb5",
      proof: "971274cce6b6a55e262129b9badab1ba"
    ),
    DigestVector(
      id: "own-auth-int-empty-body",
      user: "driver",
      password: "reins",
      realm: "depot",
      algorithm: "SHA-256",
      method: "DELETE",
      uri: "/lines/7",
      nonce: "n1",
      quality: "auth-int",
      count: "0000002a",
      clientNonce: "cn-5",
      body: "",
      key: "d6b3e0b69b96dc335153932fc0d2a3c86c3a5ccd43323c82a8008952e7bd1513",
      proof: "2fdc2005cee5bbe52f941e2264a2e92750fe4beb16090a6e086e8ccbc8181e2a",
      bodyDigest: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    ),
    DigestVector(
      id: "own-empty-password",
      user: "driver",
      password: "",
      realm: "",
      method: "OPTIONS",
      uri: "*",
      nonce: "n2",
      count: "ffffffff",
      clientNonce: "cn-6",
      key: "33c6d31d809801b67047e663907ec5a4",
      proof: "5cdcd4d11f21cf83d53ebf300bebc4ba"
    ),
    DigestVector(
      id: "own-latin1",
      user: "Jürgen",
      password: "päss",
      realm: "depot",
      charset: "iso-8859-1",
      uri: "/",
      nonce: "n3",
      clientNonce: "cn-7",
      key: "2fa6f5658d57c009e85b8f33809bb91f",
      proof: "3051d034a7d250a25bc9da9be5510689"
    ),
    DigestVector(
      id: "own-sess-second-request",
      user: "driver",
      password: "reins",
      realm: "depot",
      algorithm: "SHA-256-sess",
      uri: "/second",
      nonce: "first-nonce",
      count: "00000002",
      clientNonce: "first-cnonce",
      key: "5d361c308992d39e137bfff61ee1a03deda939390c5f9c0a0c4b0d57e20796c4",
      proof: "caba0139b970c65ac8a1859fece233d22ac83dd2177a2cac811eb9e947837c26"
    ),
  ]
}
