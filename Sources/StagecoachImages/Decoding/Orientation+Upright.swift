#if Images
  extension Image.Orientation {
    /// Turns and mirrors pixels of four bytes so that they can be shown as they are.
    ///
    /// - Throws: `CancellationError` if the flag is set.
    func upright(_ pixels: [UInt8], width: Int, height: Int, _ cancellation: CancellationFlag) throws
      -> [UInt8]
    {
      let walk = walk(width: width, height: height)
      let (shownWidth, shownHeight) = swapsSides ? (height, width) : (width, height)
      return try [UInt8](unsafeUninitializedCapacity: pixels.count) { target, initialized in
        try pixels.withUnsafeBytes { source in
          let target = UnsafeMutableRawBufferPointer(target)
          var offset = 0
          for row in 0..<shownHeight {
            if cancellation.isSet { throw CancellationError() }
            var position = walk.start + row * walk.nextRow
            for _ in 0..<shownWidth {
              target.storeBytes(
                of: source.loadUnaligned(fromByteOffset: position * 4, as: UInt32.self),
                toByteOffset: offset,
                as: UInt32.self
              )
              offset += 4
              position += walk.nextColumn
            }
          }
        }
        initialized = pixels.count
      }
    }

    /// The way through the stored pixels, in the order in which they are shown: the index of the first one, and the
    /// steps to the pixel on the right and to the one below.
    private func walk(width: Int, height: Int) -> (start: Int, nextColumn: Int, nextRow: Int) {
      let (lastColumn, lastRow) = (width - 1, (height - 1) * width)
      return switch self {
      case .up: (0, 1, width)
      case .upMirrored: (lastColumn, -1, width)
      case .down: (lastRow + lastColumn, -1, -width)
      case .downMirrored: (lastRow, 1, -width)
      case .leftMirrored: (0, width, 1)
      case .right: (lastRow, -width, 1)
      case .rightMirrored: (lastRow + lastColumn, -width, -1)
      case .left: (lastColumn, width, -1)
      }
    }
  }
#endif
