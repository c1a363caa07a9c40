#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A pinned public key or certificate, one of which must be in the certificate chain of the peer.
///
/// ```swift
/// let trust = Trust(pins: [
///   try Pin("sha256/hS5jJ4P+iQUErBkvoWBQOd1T7VOAYlOVegvv1iMzpxA="),
///   try Pin("sha256/sRHdihwgkaib1P1gxX8HFszlD+7/gTfNvuAybgLPNis="),  // the backup
/// ])
/// ```
///
/// Pin at least one key that is not in use: if the current key is lost, only a backup keeps clients working.
public struct Pin: Sendable, Hashable {
  package enum Target: Hashable {
    case publicKey([UInt8])
    case certificate([UInt8])
  }

  package let target: Target

  /// Creates a pin of a public key from the SHA-256 digest of its SubjectPublicKeyInfo (RFC 7469 2.4), which has 32
  /// bytes.
  public init(publicKeySHA256 digest: [UInt8]) {
    target = .publicKey(digest)
  }

  /// Creates a pin of a certificate.
  public init(_ certificate: Certificate) {
    target = .certificate(certificate.der)
  }

  /// Creates a pin of a public key from `sha256/` and the Base64 form of the digest of its SubjectPublicKeyInfo.
  ///
  /// - Throws: ``TrustError/malformedPin(_:)``
  public init(_ text: String) throws {
    let prefix = "sha256/"
    guard text.hasPrefix(prefix), let digest = Data(base64Encoded: String(text.dropFirst(prefix.count))),
      digest.count == 32
    else { throw TrustError.malformedPin(text) }
    self.init(publicKeySHA256: Array(digest))
  }

  /// Whether a certificate matches the pin.
  public func matches(_ certificate: Certificate) -> Bool {
    switch target {
    case .publicKey: certificate.publicKeyPin == self
    case .certificate(let der): certificate.der == der
    }
  }
}

extension Pin: CustomStringConvertible {
  /// `sha256/` and the Base64 form of the digest; for a certificate, `certificate/` and the digest of the certificate.
  public var description: String {
    switch target {
    case .publicKey(let digest): "sha256/\(Data(digest).base64EncodedString())"
    case .certificate(let der): "certificate/\(Data(SHA256.hash(der)).base64EncodedString())"
    }
  }
}
