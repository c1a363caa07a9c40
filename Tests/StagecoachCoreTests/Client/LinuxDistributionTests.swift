import Testing

@testable import StagecoachCore

@Suite struct LinuxDistributionTests {
  private static let debian = """
    PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"
    NAME="Debian GNU/Linux"
    VERSION_ID="12"
    VERSION="12 (bookworm)"
    ID=debian
    """

  @Test(
    arguments: [
      (debian, "Debian 12"), ("NAME=\"Ubuntu\"\nVERSION_ID=\"24.04\"", "Ubuntu 24.04"),
      ("NAME='Alpine Linux'\r\nVERSION_ID=3.20.1\r\n", "Alpine 3.20.1"), ("NAME=\"Arch Linux\"", "Arch"),
      ("NAME=\"Linux Mint\"\nVERSION_ID=\"22\"", "Linux Mint 22"), ("NAME=Linux\nVERSION_ID=7", nil),
      ("NAME=\"SUSE Linux Enterprise Server\"\nVERSION_ID=15.6", "SUSE Linux Enterprise Server 15.6"),
      // As a shell reads it: the last one counts, and a comment is none.
      ("NAME=a\n#NAME=b\nNAME=c", "c"), ("VERSION_ID=12", nil), ("NAME=", nil), ("", nil), ("nonsense", nil),
      // Nothing gets out of the comment that it is to stand in.
      ("NAME=\"a) b/1 (\\\"c;\"", "a b/1 c"), ("NAME=\"Größe 日本\"\nVERSION_ID=\"\u{1}2\"", "Gre 2"),
      ("NAME=" + String(repeating: "x", count: 10_000), String(repeating: "x", count: 64)),
    ] as [(String, String?)]
  )
  func theNameAndVersionAreThoseOfTheFile(text: String, name: String?) {
    #expect(LinuxDistribution.name(osRelease: text) == name)
  }
}
