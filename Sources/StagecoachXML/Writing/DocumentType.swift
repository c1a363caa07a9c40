extension XML {
  /// A document type declaration to write before an element: `<!DOCTYPE …>` (XML 1.0, section 2.8).
  ///
  /// It names the element. The DTD that it refers to is never loaded by this library.
  ///
  /// ```swift
  /// let type = XML.DocumentType(
  ///   publicID: "-//Apple//DTD PLIST 1.0//EN",
  ///   systemID: "http://www.apple.com/DTDs/PropertyList-1.0.dtd"
  /// )
  /// let options = XML.WritingOptions(hasDeclaration: true, documentType: type)
  /// ```
  public struct DocumentType: Sendable, Hashable {
    /// The public identifier, if any.
    public let publicID: String?

    /// The system identifier, a URI, if any.
    public let systemID: String?

    /// Creates a declaration that only names the element: `<!DOCTYPE html>`.
    public init() {
      publicID = nil
      systemID = nil
    }

    /// Creates a declaration that refers to a DTD. Invalid identifiers are reported when it is written
    /// (``XML/ElementError/Reason/invalidDocumentType(_:)``).
    ///
    /// - Parameters:
    ///   - publicID: The public identifier: ASCII letters and digits, spaces and `-'()+,./:=?;!*#@$_%`.
    ///   - systemID: The system identifier, which must not contain both kinds of quotes.
    public init(publicID: String? = nil, systemID: String) {
      self.publicID = publicID
      self.systemID = systemID
    }
  }

  /// An item before the root element of a document, apart from the document type.
  @nonexhaustive
  public enum PrologItem: Sendable, Hashable {
    /// A comment.
    case comment(String)
    /// A processing instruction, such as `<?xml-stylesheet href="look.css"?>`.
    case processingInstruction(target: String, data: String)
  }
}

extension XML.PrologItem {
  /// The same in an element.
  var content: XML.Element.Content {
    switch self {
    case .comment(let text): .comment(text)
    case .processingInstruction(let target, let data): .processingInstruction(target: target, data: data)
    }
  }
}

extension XML.DocumentType {
  /// The first identifier that XML cannot write (XML 1.0, section 2.3), apart from characters it does not have.
  var invalidID: String? {
    if let publicID, !publicID.unicodeScalars.allSatisfy(Self.isPublicID) { return publicID }
    if let systemID, systemID.utf8.contains(UInt8(ascii: "\"")), systemID.utf8.contains(UInt8(ascii: "'")) {
      return systemID
    }
    return nil
  }

  /// Returns whether a character is allowed in a public identifier.
  static func isPublicID(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9": true
    default: " \r\n-'()+,./:=?;!*#@$_%".unicodeScalars.contains(scalar)
    }
  }
}
