import HTTPTypes
import StagecoachFormats

extension TextTree {
  /// Reads the target or the URL of a request.
  init(target: [UInt8]) { self.init(target) }

  /// Reads the value of a field.
  init(fields: HTTPFields, at index: Int) { self.init(fields[index].octets) }

  /// Reads content by its media type; without one, by its first characters.
  init(content: [UInt8], _ type: MediaType?) { self.init(content) }
}
