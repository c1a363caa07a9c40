#if Images && canImport(CoreGraphics)
  public import CoreGraphics
  import Foundation

  extension Image {
    /// The pixels as an image of Core Graphics in sRGB; `nil` if it cannot be created.
    ///
    /// It has neither a scale nor an orientation: pass those of this image to `UIImage(cgImage:scale:orientation:)`.
    public var cgImage: CGImage? {
      guard let provider = CGDataProvider(data: Data(pixels) as CFData),
        let space = CGColorSpace(name: CGColorSpace.sRGB)
      else { return nil }
      return CGImage(
        width: width,
        height: height,
        bitsPerComponent: 8,
        bitsPerPixel: 32,
        bytesPerRow: width * 4,
        space: space,
        bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.last.rawValue),
        provider: provider,
        decode: nil,
        shouldInterpolate: true,
        intent: .defaultIntent
      )
    }
  }
#endif
