/// A decoder that provides the kind of a value, which its containers do not.
protocol ShapedDecoder: Decoder {
  var shape: JSONShape { get }
}

/// The kind of a value.
enum JSONShape {
  case leaf, array, object
}
