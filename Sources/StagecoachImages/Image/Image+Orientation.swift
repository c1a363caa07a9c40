#if Images
  extension Image {
    /// The orientation of the stored pixels, with the numbers of EXIF: where the first row and the first column are in
    /// the image as it has to be shown.
    public enum Orientation: Int, Sendable, Hashable, CaseIterable {
      /// The first row is at the top, the first column on the left.
      case up = 1
      /// The first row is at the top, the first column on the right.
      case upMirrored = 2
      /// The first row is at the bottom, the first column on the right.
      case down = 3
      /// The first row is at the bottom, the first column on the left.
      case downMirrored = 4
      /// The first row is on the left, the first column at the top.
      case leftMirrored = 5
      /// The first row is on the right, the first column at the top.
      case right = 6
      /// The first row is on the right, the first column at the bottom.
      case rightMirrored = 7
      /// The first row is on the left, the first column at the bottom.
      case left = 8

      /// Whether width and height of the shown image are the height and the width of the stored pixels.
      public var swapsSides: Bool { rawValue >= 5 }
    }
  }
#endif
