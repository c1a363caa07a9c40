#if os(Linux)
  import Foundation
  import Testing

  @testable import StagecoachCore
  @testable import StagecoachSystem
  import StagecoachStages

  @Suite struct NetworkLinkKindTests {
    /// What a link is, by hardware and what sysfs has of it.
    @Test(
      arguments: [
        ("eth0", 1, [:], .wired), ("wlan0", 1, ["wireless": ""], .wifi),
        ("wlp3s0", 1, ["phy80211": ""], .wifi),
        ("mon0", 803, [:], .wifi), ("wwan0", 1, [:], .cellular), ("ppp0", 512, [:], .cellular),
        ("rmnet0", 519, [:], .cellular), ("usb0", 1, ["uevent": "INTERFACE=usb0\nDEVTYPE=wwan\n"], .cellular),
        ("usb1", 1, ["uevent": "DEVTYPE=wwanx\n"], .wired), ("ib0", 32, [:], .wired),
        ("tun0", 65534, [:], .other),
        ("sit0", 776, [:], .other), ("", 1, ["wireless": ""], .wired), ("..", 1, [:], .wired),
        ("a/wlan0", 1, ["wireless": ""], .wired),
      ] as [(String, UInt16, [String: String], NetworkStatus)]
    )
    func recognizesTheKindOfALink(
      name: String,
      hardware: UInt16,
      files: [String: String],
      expected: NetworkStatus
    ) throws {
      let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: root) }
      let folder = root.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for (file, text) in files { try Data(text.utf8).write(to: folder.appendingPathComponent(file)) }
      let octets = Netlink.link(3, name, hardware: hardware, sequence: 0)
      guard case .link(let link)? = Netlink.parse(octets).first?.content else {
        Issue.record("no link")
        return
      }
      #expect(link.kind(in: root.path) == expected)
    }
  }
#endif
