#if Images
  internal import CImages
  import StagecoachCore

  /// Decodes images on the thread of the caller.
  struct ImageDecoder: Sendable {
    /// The default limit of libpng, which keeps several copies of a row.
    static let maximumDimension = 1_000_000

    let pixelLimit: Int
    let scale: Double
    let appliesOrientation: Bool
    let cancellation: CancellationFlag

    /// - Throws: ``ImageError``, `CancellationError`.
    func decode(_ bytes: Bytes) throws -> Image {
      try bytes.withUnsafeBytes { try decode(ImageBytes($0)) }
    }

    private func decode(_ bytes: ImageBytes) throws -> Image {
      let info = try ImageInfo(bytes)
      try check(info)
      let size = info.width * info.height * 4
      var pixels = try [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
        // A frame need not cover its canvas, and no defect of a library may show what the memory held before.
        buffer.initialize(repeating: 0)
        try decode(bytes, info, into: UnsafeMutableRawBufferPointer(buffer))
        initialized = size
      }
      var (width, height, orientation) = (info.width, info.height, info.orientation)
      if appliesOrientation, orientation != .up {
        pixels = try orientation.upright(pixels, width: width, height: height, cancellation)
        if orientation.swapsSides { swap(&width, &height) }
        orientation = .up
      }
      let image = Image(
        format: info.format,
        width: width,
        height: height,
        pixels: pixels,
        scale: scale,
        orientation: orientation
      )
      guard let image else { throw ImageError(.malformed, "the number of pixels does not match the size") }
      return image
    }

    /// Checks the size before anything is allocated for it.
    private func check(_ info: ImageInfo) throws(ImageError) {
      let (pixels, overflows) = info.width.multipliedReportingOverflow(by: info.height)
      guard !overflows, pixels <= min(pixelLimit, Int.max / 4) else {
        throw ImageError(
          .pixelLimit,
          "the image has \(info.width) x \(info.height) pixels, more than the limit of \(pixelLimit)"
        )
      }
      guard max(info.width, info.height) <= Self.maximumDimension else {
        throw ImageError(
          .unsupported,
          "the image has \(info.width) x \(info.height) pixels; a side can have \(Self.maximumDimension)"
        )
      }
    }

    private func decode(
      _ bytes: ImageBytes,
      _ info: ImageInfo,
      into pixels: UnsafeMutableRawBufferPointer
    ) throws {
      let area = PixelArea(pixels: pixels, rowLength: info.width * 4, width: info.width, height: info.height)
      switch info.format {
      case .png: try run(stagecoach_image_decode_png, "PNG", bytes, area)
      case .jpeg: try run(stagecoach_image_decode_jpeg, "JPEG", bytes, area)
      case .webP: try decodeWebP(bytes, area)
      }
    }

    private func decodeWebP(_ bytes: ImageBytes, _ area: PixelArea) throws {
      let header = try WebPHeader(bytes)
      guard header.declaredLength <= bytes.count else {
        throw ImageError(.truncated, "the WebP image has \(bytes.count) of \(header.declaredLength) bytes")
      }
      let content = bytes.part(from: 0, size: header.declaredLength)
      guard header.isAnimated else { return try run(stagecoach_image_decode_webp, "WebP", content, area) }
      let frame = try WebPFrame(firstOf: content, width: area.width, height: area.height)
      try frame.file.withUnsafeBytes { file in
        try run(stagecoach_image_decode_webp, "WebP", ImageBytes(file), frame.area(in: area))
      }
    }

    /// Runs a decoder of the library.
    private func run(
      _ decode: (UnsafeMutablePointer<stagecoach_image_job>?) -> stagecoach_image_status,
      _ name: String,
      _ bytes: ImageBytes,
      _ area: PixelArea
    ) throws {
      var job = stagecoach_image_job()
      job.bytes = bytes.buffer.bindMemory(to: UInt8.self).baseAddress
      job.count = bytes.count
      job.width = UInt32(area.width)
      job.height = UInt32(area.height)
      job.pixels = area.pixels.bindMemory(to: UInt8.self).baseAddress
      job.stride = area.rowLength
      job.is_cancelled = { context in
        guard let context else { return 0 }
        return Unmanaged<CancellationFlag>.fromOpaque(context).takeUnretainedValue().isSet ? 1 : 0
      }
      let status = withExtendedLifetime(cancellation) {
        job.context = UnsafeRawPointer(Unmanaged.passUnretained(cancellation).toOpaque())
        return decode(&job)
      }
      let reason: ImageError.Reason
      switch status {
      case stagecoach_image_ok: return
      case stagecoach_image_cancelled: throw CancellationError()
      case stagecoach_image_truncated: reason = .truncated
      case stagecoach_image_unsupported: reason = .unsupported
      case stagecoach_image_memory: reason = .memory
      default: reason = .malformed
      }
      let message = withUnsafeBytes(of: job.message) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      throw ImageError(reason, "the \(name) image cannot be decoded: \(Format.oneLine(message))")
    }
  }

  /// A rectangle of pixels in a larger buffer.
  struct PixelArea {
    /// The memory from the first pixel of the rectangle on.
    let pixels: UnsafeMutableRawBufferPointer
    /// The distance of two rows, in bytes.
    let rowLength: Int
    let width: Int
    let height: Int
  }
#endif
