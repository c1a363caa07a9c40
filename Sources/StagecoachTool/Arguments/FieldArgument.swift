#if Tool
  import ArgumentParser
  import HTTPTypes
  import Stagecoach

  /// A field, as `-H` takes it: `Name: value`.
  struct FieldArgument: ExpressibleByArgument {
    let field: HTTPField

    init?(argument: String) {
      guard let colon = argument.firstIndex(of: ":"), let name = HTTPField.Name(String(argument[..<colon])),
        HTTPField.isValidValue(argument[argument.index(after: colon)...].trimmed)
      else { return nil }
      field = HTTPField(name: name, value: argument[argument.index(after: colon)...].trimmed)
    }
  }

  extension Substring {
    /// Without the spaces and tabs at both ends.
    fileprivate var trimmed: String {
      let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
      var rest = drop(while: isBlank)
      while let last = rest.last, isBlank(last) { rest.removeLast() }
      return String(rest)
    }
  }
#endif
