/// What Python's zlib and gzip modules made of ``plain``, in hexadecimal digits.
enum Vectors {
  static let plain = (0..<40).flatMap { Array("\($0): all change at the next stage\n".utf8) }

  static let gzip = bytes(
    """
    1f8b08000000000002ff85d3bb0d84401004519f282604ba9bfb40362bb40203e1dc1a173e21945d633df5cc5bb5ebaafd6c
    f7d1ab8d1a67afbbff47fd463bfa24e8861ee80bf417f437f40ff42ff4957c663a204111a1c85084285214318a1c45902249
    93a4718b24699234499a244d92264993a449322419920cbe35498624439221c99064483224f9003eb75d7c1e050000
    """
  )
  static let gzipWithEveryHeaderPart = bytes(
    """
    1f8b081f01000000020306004142020078796e616d6500636f6d6d656e74004e7385d3bb0d84401004519f282604ba9bfb40
    362bb40203e1dc1a173e21945d633df5cc5bb5ebaafd6cf7d1ab8d1a67afbbff47fd463bfa24e8861ee80bf417f437f40ff4
    2ff4957c663a204111a1c85084285214318a1c4590224993a4718b24699234499a244d92264993a449322419920cbe354986
    24439221c99064483224f9003eb75d7c1e050000
    """
  )
  static let zlib = bytes(
    """
    78da85d3bb0d84401004519f282604ba9bfb40362bb40203e1dc1a173e21945d633df5cc5bb5ebaafd6cf7d1ab8d1a67afbb
    ff47fd463bfa24e8861ee80bf417f437f40ff42ff4957c663a204111a1c85084285214318a1c4590224993a4718b24699234
    499a244d92264993a449322419920cbe35498624439221c99064483224f900dfc3b400
    """
  )
  static let bare = bytes(
    """
    85d3bb0d84401004519f282604ba9bfb40362bb40203e1dc1a173e21945d633df5cc5bb5ebaafd6cf7d1ab8d1a67afbbff47
    fd463bfa24e8861ee80bf417f437f40ff42ff4957c663a204111a1c85084285214318a1c4590224993a4718b24699234499a
    244d92264993a449322419920cbe35498624439221c99064483224f900
    """
  )
  static let gzipOfNothing = bytes(
    """
    1f8b08000000000002ff03000000000000000000
    """
  )
  static let zlibOfNothing = bytes(
    """
    789c030000000001
    """
  )
  static let bareOfNothing = bytes(
    """
    0300
    """
  )
  static let zlibWithDictionary = bytes(
    """
    78f99b650a3385d34915c3000042412b9150a0e9e6a6fe4dc441e6fc6ff3e0f13bfe773de8451ffa13fd447fa1bfd13fe85f
    f91050821161641821468a1163e4184146929564b9454956929564255949569295642539494e92e3ad2539494e9293e42439
    494e9217dfc3b400
    """
  )

  /// The bytes of hexadecimal digits.
  static func bytes(_ digits: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in digits.compactMap({ $0.hexDigitValue.map(UInt8.init) }) {
      if let first = high { bytes.append(first << 4 | digit) }
      high = high == nil ? digit : nil
    }
    return bytes
  }
}
