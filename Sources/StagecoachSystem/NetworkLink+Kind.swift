import StagecoachCore
import StagecoachStages

#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  extension NetworkLink {
    /// Returns the kind of network, by its hardware and the information of sysfs about its driver.
    ///
    /// - Parameter root: The folder of links in sysfs.
    func kind(in root: String = "/sys/class/net") -> NetworkStatus {
      switch hardware {
      case 801...803: return .wifi  // ARPHRD_IEEE80211 and its monitors
      case 512, 519: return .cellular  // ARPHRD_PPP, and ARPHRD_RAWIP of a modem
      case 1: break  // ARPHRD_ETHER, which wireless cards and modems pretend to be
      case 32: return .wired  // ARPHRD_INFINIBAND
      default: return .other
      }
      // A name that is not a single path component is not the name of a link.
      guard !name.isEmpty, !name.hasPrefix("."), !name.utf8.contains(UInt8(ascii: "/")) else { return .wired }
      let folder = "\(root)/\(name)"
      if access("\(folder)/wireless", F_OK) == 0 || access("\(folder)/phy80211", F_OK) == 0 { return .wifi }
      return name.hasPrefix("wwan") || isModem(folder) ? .cellular : .wired
    }

    /// Whether the driver says so of its device.
    private func isModem(_ folder: String) -> Bool {
      guard let file = fopen("\(folder)/uevent", "re") else { return false }
      defer { fclose(file) }
      var octets = [UInt8](repeating: 0, count: 4096)
      let count = fread(&octets, 1, octets.count, file)
      return octets.prefix(count).split(separator: UInt8(ascii: "\n")).contains {
        $0.elementsEqual("DEVTYPE=wwan".utf8)
      }
    }
  }
#endif
