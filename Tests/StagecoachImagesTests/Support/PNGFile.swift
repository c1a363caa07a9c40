#if Images
  import StagecoachFormats
  import TestSupport

  /// Writes PNG images of every kind, without libpng and without compression.
  struct PNGFile {
    enum Kind: UInt8, CaseIterable {
      case grey = 0
      case rgb = 2
      case palette = 3
      case greyAlpha = 4
      case rgba = 6

      var channels: Int {
        switch self {
        case .grey, .palette: 1
        case .greyAlpha: 2
        case .rgb: 3
        case .rgba: 4
        }
      }

      var depths: [Int] {
        switch self {
        case .grey: [1, 2, 4, 8, 16]
        case .palette: [1, 2, 4, 8]
        default: [8, 16]
        }
      }
    }

    var kind: Kind
    var depth = 8
    var width: Int
    var height: Int
    var isInterlaced = false
    /// Row by row, the channels of each pixel.
    var samples: [Int]
    /// Red, green, blue for each number of the palette.
    var palette: [UInt8] = []
    /// The content of tRNS; none if empty.
    var transparency: [UInt8] = []
    /// Chunks in front of the pixels.
    var extra: [(type: String, content: [UInt8])] = []

    /// An image of random samples.
    static func random(
      _ kind: Kind,
      depth: Int = 8,
      width: Int,
      height: Int,
      seed: UInt64 = 1,
      isInterlaced: Bool = false
    ) -> PNGFile {
      var random = SplitMix(state: seed)
      let samples = (0..<width * height * kind.channels).map { _ in
        Int(random.next() % UInt64(1 << depth))
      }
      let palette =
        kind == .palette ? (0..<(1 << depth) * 3).map { _ in UInt8(truncatingIfNeeded: random.next()) } : []
      return PNGFile(
        kind: kind,
        depth: depth,
        width: width,
        height: height,
        isInterlaced: isInterlaced,
        samples: samples,
        palette: palette
      )
    }

    /// The pixels that a reader has to give.
    var pixels: [UInt8] {
      (0..<width * height).flatMap { pixel in
        let own = Array(samples[pixel * kind.channels..<(pixel + 1) * kind.channels])
        let eight = own.map { UInt8((Double($0) * 255 / Double((1 << depth) - 1)).rounded()) }
        let key = stride(from: 0, to: transparency.count - 1, by: 2).map {
          Int(transparency[$0]) << 8 | Int(transparency[$0 + 1])
        }
        let alpha: UInt8 = own == key ? 0 : 255
        switch kind {
        case .grey: return [eight[0], eight[0], eight[0], alpha]
        case .rgb: return eight + [alpha]
        case .palette:
          let number = own[0]
          return palette[number * 3..<number * 3 + 3]
            + [number < transparency.count ? transparency[number] : 255]
        case .greyAlpha: return [eight[0], eight[0], eight[0], eight[1]]
        case .rgba: return eight
        }
      }
    }

    var bytes: [UInt8] {
      let header =
        Self.number(width) + Self.number(height) + [UInt8(depth), kind.rawValue, 0, 0, isInterlaced ? 1 : 0]
      var chunks = [("IHDR", header)]
      if !palette.isEmpty { chunks.append(("PLTE", palette)) }
      if !transparency.isEmpty { chunks.append(("tRNS", transparency)) }
      chunks += extra
      let data = Self.zlib(rows)
      // Cut anywhere.
      let half = data.count / 2
      chunks += [("IDAT", Array(data[..<half])), ("IDAT", Array(data[half...])), ("IEND", [])]
      return Self.file(chunks)
    }

    // MARK: Rows

    private var rows: [UInt8] {
      guard isInterlaced else { return rows(x: 0, y: 0, stepX: 1, stepY: 1) }
      return Self.passes.flatMap { rows(x: $0.0, y: $0.1, stepX: $0.2, stepY: $0.3) }
    }

    /// Adam7: the first pixel, and the distances of the others.
    private static let passes = [
      (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
    ]

    private func rows(x: Int, y: Int, stepX: Int, stepY: Int) -> [UInt8] {
      var previous: [UInt8] = []
      var result: [UInt8] = []
      for (index, row) in stride(from: y, to: height, by: stepY).enumerated() {
        let columns = stride(from: x, to: width, by: stepX)
        let own = columns.flatMap { column in
          let first = (row * width + column) * kind.channels
          return samples[first..<first + kind.channels]
        }
        guard !own.isEmpty else { return [] }
        let packed = pack(own)
        result += filter(packed, previous, type: index % 5)
        previous = packed
      }
      return result
    }

    private func pack(_ samples: [Int]) -> [UInt8] {
      if depth == 16 { return samples.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } }
      let perByte = 8 / depth
      return stride(from: 0, to: samples.count, by: perByte).map { start in
        let group = samples[start..<min(start + perByte, samples.count)]
        let bits = group.reduce(0) { $0 << depth | $1 }
        return UInt8(bits << ((perByte - group.count) * depth))
      }
    }

    /// The five filters of PNG.
    private func filter(_ row: [UInt8], _ previous: [UInt8], type: Int) -> [UInt8] {
      let distance = max(1, kind.channels * depth / 8)
      var filtered = [UInt8(type)]
      for index in row.indices {
        let left = index >= distance ? Int(row[index - distance]) : 0
        let above = previous.isEmpty ? 0 : Int(previous[index])
        let corner = previous.isEmpty || index < distance ? 0 : Int(previous[index - distance])
        let guess: Int
        switch type {
        case 1: guess = left
        case 2: guess = above
        case 3: guess = (left + above) / 2
        case 4:
          let estimate = left + above - corner
          guess = [left, above, corner].min { abs(estimate - $0) < abs(estimate - $1) } ?? 0
        default: guess = 0
        }
        filtered.append(row[index] &- UInt8(guess))
      }
      return filtered
    }

    // MARK: Container

    static func file(_ chunks: [(type: String, content: [UInt8])]) -> [UInt8] {
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunks.flatMap { chunk($0.type, $0.content) }
    }

    static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
      let body = Array(type.utf8) + content
      return number(content.count) + body + number(Int(CRC32.of(body)))
    }

    /// Stored blocks (RFC 1951 3.2.4) in the zlib format.
    static func zlib(_ content: [UInt8]) -> [UInt8] {
      var result: [UInt8] = [0x78, 0x01]
      var start = 0
      repeat {
        let end = min(start + 65_535, content.count)
        let length = end - start
        result += [end == content.count ? 1 : 0, UInt8(length & 0xFF), UInt8(length >> 8)]
        result += [UInt8(~length & 0xFF), UInt8(~length >> 8 & 0xFF)] + content[start..<end]
        start = end
      } while start < content.count
      return result + number(Int(Adler32.of(content)))
    }

    static func number(_ value: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - $0 * 8)) }
    }

    /// Writes the right checksums into a file whose chunks were changed.
    static func fixChecksums(_ file: [UInt8]) -> [UInt8] {
      var file = file
      var position = 8
      while position + 12 <= file.count {
        let length = file[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
        guard position + 12 + length <= file.count else { break }
        let sum = number(Int(CRC32.of(Array(file[position + 4..<position + 8 + length]))))
        file.replaceSubrange(position + 8 + length..<position + 12 + length, with: sum)
        position += 12 + length
      }
      return file
    }
  }
#endif
