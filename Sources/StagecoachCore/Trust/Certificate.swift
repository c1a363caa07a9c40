#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An X.509 certificate (RFC 5280) in DER form.
///
/// ```swift
/// let roots = try Certificate.fromPEM(ourCA)
/// print(roots[0].subject, roots[0].publicKeyPin)
/// ```
public struct Certificate: Sendable, Hashable {
  /// The DER encoding.
  public let der: [UInt8]
  private let publicKeyInfo: Range<Int>
  private let subjectName: Range<Int>

  /// Creates a certificate from its DER encoding.
  ///
  /// - Throws: ``TrustError/malformedCertificate``.
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

  /// Returns the certificates in a PEM text (RFC 7468), in order. Other PEM blocks are skipped.
  ///
  /// - Throws: ``TrustError/noCertificate`` if the text contains no certificate, ``TrustError/malformedCertificate``.
  public static func fromPEM(_ text: String) throws -> [Certificate] {
    let certificates = try PEM.blocks(of: text, label: "CERTIFICATE").map { try Certificate(der: $0) }
    guard !certificates.isEmpty else { throw TrustError.noCertificate }
    return certificates
  }

  /// The PEM encoding.
  public var pem: String {
    let base64 = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
    return "-----BEGIN CERTIFICATE-----\n\(base64)\n-----END CERTIFICATE-----\n"
  }

  /// The pin of the public key.
  public var publicKeyPin: Pin { Pin(publicKeySHA256: SHA256.hash(der[publicKeyInfo])) }

  /// The common name of the subject, or else the last part of the subject's name; empty if the subject has no name.
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
  /// The pin of the public key and the subject.
  public var description: String { "\(publicKeyPin) (\(subject))" }
}

/// An error of a certificate, key or pin that cannot be used.
@nonexhaustive
public enum TrustError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The bytes are not a valid certificate.
  case malformedCertificate
  /// The text contains no certificate.
  case noCertificate
  /// The text is not a valid pin.
  case malformedPin(String)
  /// The text contains no private key.
  case noPrivateKey
  /// The private key is encrypted.
  case encryptedPrivateKey

  /// A description of the error, with advice.
  public var description: String {
    switch self {
    case .malformedCertificate: "the bytes are not an X.509 certificate in DER"
    case .noCertificate: "the text holds no block -----BEGIN CERTIFICATE-----"
    case .malformedPin(let text):
      "invalid pin \(text): expected sha256/ and a Base64 SHA-256 digest of a public key"
    case .noPrivateKey:
      "the text holds no block -----BEGIN PRIVATE KEY-----, nor one of an RSA or EC private key"
    case .encryptedPrivateKey:
      "the private key is encrypted: decrypt it with openssl pkey -in KEY -out PLAIN"
    }
  }
}
