#if Zstandard
  /// What `zstd`, version 1.5.4, made of ``Vectors/plain``, in hexadecimal digits.
  extension Vectors {
    /// `zstd -19 --check FILE`: the size is in the frame, which is a single segment.
    static let zstd = bytes(
      """
      28b52ffd641e0415030072c40d11b01d032cf84d7dc999d41292b25d023702ffffffbf6ddbb6ddb66ddba2630a1977016b4a
      c6202783813919a40aac41e556784f85240227a811f0ebff1b80334a0f11fcff0ff403b1383799c9252b3949241d69e42289
      1c00800132b0a806128aa3a3
      """
    )
    /// `zstd -19 --no-check FILE`.
    static let zstdWithoutCheck = bytes(
      """
      28b52ffd601e0415030072c40d11b01d032cf84d7dc999d41292b25d023702ffffffbf6ddbb6ddb66ddba2630a1977016b4a
      c6202783813919a40aac41e556784f85240227a811f0ebff1b80334a0f11fcff0ff403b1383799c9252b3949241d69e42289
      1c00800132b0a806
      """
    )
    /// `zstd -1 --check` of a pipe: the frame does not tell the size.
    static let zstdOfStream = bytes(
      """
      28b52ffd0448e50300a2440f13a0251d40b545444dbfff85cf711c175d876e56bc9a785634c6ab89674553bc9a785634c4ab
      896745828f7e81fcc00bf1e1e55b7c143d0484205a00132720f035038de087335cf0c3192ef8e10c6f1bc10f67b8e087335c
      f0c319de1a891fce70c10f67b8e0e73823786ba4b98635d2dc863532cdcd68d213128aa3a3
      """
    )
    /// `zstd` of an empty file.
    static let zstdOfNothing = bytes(
      """
      28b52ffd240001000099e9d851
      """
    )
  }
#endif
