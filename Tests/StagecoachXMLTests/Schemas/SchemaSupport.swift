import Stagecoach
import StagecoachXML
import Testing

/// An XML Schema around declarations.
func xsd(_ content: String, _ attributes: String = "") -> Bytes {
  Bytes("<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" \(attributes)>\(content)</xs:schema>")
}

/// A RELAX NG grammar around definitions.
func rng(_ content: String, _ attributes: String = "") -> Bytes {
  Bytes("<grammar xmlns=\"http://relaxng.org/ns/structure/1.0\" \(attributes)>\(content)</grammar>")
}

/// The error that compiling ends with.
func schemaError(
  _ schema: Bytes,
  location: String = "",
  resources: [String: Bytes] = [:],
  limits: XML.Schema.Limits = XML.Schema.Limits(),
  sourceLocation: SourceLocation = #_sourceLocation
) -> XML.SchemaError? {
  do throws(XML.SchemaError) {
    _ = try XML.Schema(schema, location: location, resources: resources, limits: limits)
    Issue.record("compiled", sourceLocation: sourceLocation)
    return nil
  } catch {
    return error
  }
}

/// Limits of a schema with one changed.
func schemaLimits(_ path: WritableKeyPath<XML.Schema.Limits, Int>, _ value: Int) -> XML.Schema.Limits {
  var limits = XML.Schema.Limits()
  limits[keyPath: path] = value
  return limits
}

/// The example of the XML Schema primer (part 0, section 2.1), an order of goods: its structure and rules.
let purchaseOrderSchema = xsd(
  """

  <xs:element name="purchaseOrder" type="PurchaseOrderType"/>
  <xs:element name="comment" type="xs:string"/>
  <xs:complexType name="PurchaseOrderType">
    <xs:sequence>
      <xs:element name="shipTo" type="USAddress"/>
      <xs:element name="billTo" type="USAddress"/>
      <xs:element ref="comment" minOccurs="0"/>
      <xs:element name="items" type="Items"/>
    </xs:sequence>
    <xs:attribute name="orderDate" type="xs:date"/>
  </xs:complexType>
  <xs:complexType name="USAddress">
    <xs:sequence>
      <xs:element name="name" type="xs:string"/>
      <xs:element name="street" type="xs:string"/>
      <xs:element name="city" type="xs:string"/>
      <xs:element name="state" type="xs:string"/>
      <xs:element name="zip" type="xs:decimal"/>
    </xs:sequence>
    <xs:attribute name="country" type="xs:NMTOKEN" fixed="US"/>
  </xs:complexType>
  <xs:complexType name="Items">
    <xs:sequence>
      <xs:element name="item" minOccurs="0" maxOccurs="unbounded">
        <xs:complexType>
          <xs:sequence>
            <xs:element name="productName" type="xs:string"/>
            <xs:element name="quantity">
              <xs:simpleType>
                <xs:restriction base="xs:positiveInteger">
                  <xs:maxExclusive value="100"/>
                </xs:restriction>
              </xs:simpleType>
            </xs:element>
            <xs:element name="USPrice" type="xs:decimal"/>
            <xs:element ref="comment" minOccurs="0"/>
            <xs:element name="shipDate" type="xs:date" minOccurs="0"/>
          </xs:sequence>
          <xs:attribute name="partNum" type="SKU" use="required"/>
        </xs:complexType>
      </xs:element>
    </xs:sequence>
  </xs:complexType>
  <xs:simpleType name="SKU">
    <xs:restriction base="xs:string">
      <xs:pattern value="\\d{3}-[A-Z]{2}"/>
    </xs:restriction>
  </xs:simpleType>

  """
)

func address(_ name: String, zip: String = "90952", country: String = "US") -> String {
  """
  <\(name) country="\(country)">
    <name>A. Smith</name>
    <street>1 Maple Street</street>
    <city>Mill Valley</city>
    <state>CA</state>
    <zip>\(zip)</zip>
  </\(name)>
  """
}

func item(_ number: String, quantity: String = "1", price: String = "148.95") -> String {
  """
  <item partNum="\(number)">
    <productName>Mower</productName>
    <quantity>\(quantity)</quantity>
    <USPrice>\(price)</USPrice>
  </item>
  """
}

func purchaseOrder(_ items: [String], shipTo: String = address("shipTo"), date: String = "1999-10-20")
  -> String
{
  """
  <?xml version="1.0"?>
  <purchaseOrder orderDate="\(date)">
  \(shipTo)
  \(address("billTo"))
  <items>
  \(items.joined(separator: "\n"))
  </items>
  </purchaseOrder>
  """
}
