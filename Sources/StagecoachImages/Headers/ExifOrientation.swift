#if Images
  extension Image.Orientation {
    private static let tag = 0x0112
    private static let shortType = 3

    /// Reads the orientation of EXIF data, which is a TIFF file: a number in its first directory (Exif 2.3, 4.6.4).
    ///
    /// - Returns: `nil` if the data is malformed or has no valid orientation.
    init?(exif bytes: ImageBytes) {
      let isLittleEndian: Bool
      if bytes.has("II*\0", at: 0) {
        isLittleEndian = true
      } else if bytes.has("MM\0*", at: 0) {
        isLittleEndian = false
      } else {
        return nil
      }
      func number(_ offset: Int, _ size: Int) -> Int? {
        bytes.number(at: offset, size: size, isLittleEndian: isLittleEndian)
      }
      guard let directory = number(4, 4), let count = number(directory, 2) else { return nil }
      for index in 0..<count {
        let entry = directory + 2 + index * 12
        guard let tag = number(entry, 2) else { return nil }
        guard tag == Self.tag else { continue }
        guard number(entry + 2, 2) == Self.shortType, let value = number(entry + 8, 2) else { return nil }
        self.init(rawValue: value)
        return
      }
      return nil
    }
  }
#endif
