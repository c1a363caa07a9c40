#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An X.509 certificate (RFC 5280), by its DER form.
///
/// ```swift
/// let roots = try Certificate.fromPEM(text)
/// print(roots[0].subject, roots[0].publicKeyPin)
/// ```
public struct Certificate: Sendable, Hashable {
  /// The DER form.
  public let der: [UInt8]
  private let publicKeyInfo: Range<Int>
  private let subjectName: Range<Int>

  /// A certificate from its DER form.
  ///
  /// - Throws: ``TrustError/malformedCertificate`` if it is none.
  public init(der: [UInt8]) throws {
    var outer = DERReader(der[...])
    guard let certificate = outer.next(DERReader.sequence), outer.nextTag == nil else {
      throw TrustError.malformedCertificate
    }
    var parts = certificate.reader
    guard var fields = parts.next(DERReader.sequence)?.reader else { throw TrustError.malformedCertificate }
    // [0] version, serial number, signature, issuer, validity, subject, subjectPublicKeyInfo
    if fields.nextTag == 0xa0 { _ = fields.next() }
    guard fields.next(0x02) != nil, fields.next(DERReader.sequence) != nil,
      fields.next(DERReader.sequence) != nil,
      fields.next(DERReader.sequence) != nil, let subject = fields.next(DERReader.sequence),
      let key = fields.next(DERReader.sequence)
    else { throw TrustError.malformedCertificate }
    self.der = der
    publicKeyInfo = key.whole.startIndex..<key.whole.endIndex
    subjectName = subject.content.startIndex..<subject.content.endIndex
  }

  /// The certificates of a PEM text (RFC 7468), in order; what is no certificate is skipped.
  ///
  /// - Throws: ``TrustError/noCertificate`` if there is none, ``TrustError/malformedCertificate``.
  public static func fromPEM(_ text: String) throws -> [Certificate] {
    let certificates = try PEM.blocks(of: text, label: "CERTIFICATE").map { try Certificate(der: $0) }
    guard !certificates.isEmpty else { throw TrustError.noCertificate }
    return certificates
  }

  /// The PEM form.
  public var pem: String {
    let base64 = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
    return "-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----\n"
  }

  /// The pin of its public key.
  public var publicKeyPin: Pin { Pin(publicKeySHA256: SHA256.hash(der[publicKeyInfo])) }

  /// The common name of its subject, or else the last part of the subject's name; empty if there is none.
  public var subject: String {
    var names = DERReader(der[subjectName])
    var last = ""
    while let set = names.next() {
      var attributes = set.reader
      guard var attribute = attributes.next(DERReader.sequence)?.reader, let type = attribute.next(0x06),
        let value = attribute.next()
      else { continue }
      last = String(decoding: value.content, as: UTF8.self)
      // 2.5.4.3, the common name
      if type.content.elementsEqual([0x55, 0x04, 0x03]) { return last }
    }
    return last
  }
}

extension Certificate: CustomStringConvertible {
  /// The pin and the subject.
  public var description: String { "\(publicKeyPin) (\(subject))" }
}

/// Why certificates, keys and pins cannot be used.
@nonexhaustive
public enum TrustError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The bytes are no certificate.
  case malformedCertificate
  /// The text holds no certificate.
  case noCertificate
  /// The text is no pin.
  case malformedPin(String)
  /// The text holds no private key without a passphrase.
  case noPrivateKey

  /// What it is, and what to do.
  public var description: String {
    switch self {
    case .malformedCertificate: "the bytes are no X.509 certificate in DER"
    case .noCertificate: "the text holds no block -----BEGIN CERTIFICATE-----"
    case .malformedPin(let text):
      "\(text) is no pin: it is sha256/ and the Base64 form of the SHA-256 digest of a public key"
    case .noPrivateKey:
      "the text holds no private key in PEM without a passphrase: decrypt it with openssl pkey -in KEY -out PLAIN"
    }
  }
}
