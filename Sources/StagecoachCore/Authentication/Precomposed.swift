#if canImport(FoundationEssentials)
  // FoundationEssentials has no normalization; that of the standard library is not public yet.
  @_spi(_Unicode) import Swift
#else
  import Foundation
#endif

extension String {
  /// The same text in normalization form C (Unicode Standard Annex 15), in which servers keep names and passwords.
  var precomposed: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return self }
    #if canImport(FoundationEssentials)
      var scalars = String.UnicodeScalarView()
      scalars.append(contentsOf: _nfc)
      return String(scalars)
    #else
      return precomposedStringWithCanonicalMapping
    #endif
  }
}
