/// The rows of generated documents.
public enum GeneratedRows {
  /// A row as XML.
  public static func xml(_ index: Int) -> String {
    """
    <row id="\(index)"><name>Coach number \(index)</name><city>Zürich</city><wheels>\(index % 8)</wheels>\
    <price>\(Double(index) / 8)</price><open>\(index % 3 == 0)</open>\
    <note>A line of text &amp; more of it, as people write it</note></row>

    """
  }
}
