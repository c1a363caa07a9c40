#if Brotli
  /// What other programs made of ``Vectors/plain``, in hexadecimal digits.
  extension Vectors {
    /// `brotli -q 11`, version 1.0.9.
    static let brotli = bytes(
      """
      b1e828c0e0387063b5211e2331f70895ee0663f34a5911d6206c0a7411070740c32b059670a2c782562ff86003885baf689d
      91a37e060b456289b48cac5c87b902441299424d432b17b108441299424d432b17a908441299424d432b07
      """
    )
    /// `brotli -q 5 -w 10`.
    static let brotliOfSmallWindow = bytes(
      """
      a1e828002020f1b7f7840eb06dfdcdf247a11e009d4ab5e6039b2c791ce2c6d2423d47cc7aecdffc6bbd9a3ce72a60da7646
      fad9c888921c72ca25b73cf236967825212121212121218124499224499224298aa2288aa2280a
      """
    )
    /// `zlib.brotliCompressSync` of Node.js 20.
    static let brotliOfNode = bytes(
      """
      1b1d05181c076eac36c46324e61ea1d2dd606c5e292bc21a844d812ee2e0006878a5c0124ef458d0ea051f6c0071eb15ad33
      72d4cf60a1482c91969195eb305780482253a86968e5221681482253a86968e5221581482253a86968e500
      """
    )
    /// `brotli` of an empty file.
    static let brotliOfNothing = bytes(
      """
      a101
      """
    )
    /// `brotli --large_window=26` of 10 MiB of zeros.
    static let brotliOfLargeWindow = bytes(
      """
      115afeff7fe29f0088c70201b9f79f
      """
    )
    /// `brotli` of 10 MiB of zeros.
    static let brotliBomb = bytes(
      """
      9fffff9ff82700e2b14020f7fe13
      """
    )
    /// "abc", flushed, "def", flushed, and the end: each as `zlib.createBrotliCompress` of Node.js gives it.
    static let brotliFlushed = [bytes("0b0180616263"), bytes("100008646566"), bytes("03")]
  }
#endif
