import StagecoachCore

#if canImport(FoundationEssentials)
  // FoundationEssentials has no normalization, and the standard library's is not public yet.
  @_spi(_Unicode) import Swift
#else
  import Foundation
#endif

extension String {
  /// The text in normalization form C (Unicode Standard Annex 15), in which servers store names and passwords.
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
