internal import CLibXML2

/// The namespace of the XML types, based on libxml2: immutable documents that can be searched with XPath 1.0.
///
/// A document is parsed as a whole, or by a ``DocumentParser`` from chunks of any size:
///
/// ```swift
/// let document = try XML.Document(parsing: bytes)
/// let titles = try document.xpath("//item/title").nodes.map(\.text)
/// ```
///
/// Input is treated as untrusted. External entities, DTDs and inclusions are never loaded, entities of the document
/// expand within a limit, and everything that grows has a limit (``XML/Limits``).
///
/// `XML` has no values; it is only a namespace, so that its types do not collide with the types of Foundation.
public enum XML {
  /// Runs libxml2's initializer once in a process; it must have run before the library is used from
  /// several threads.
  static let library: Void = xmlInitParser()

  /// The version of libxml2 that runs: 21406 is 2.14.6.
  static let libraryVersion = Int(stagecoach_xml_library_version())
}
