/// The value of an option in an archive: null, a Boolean, a number or a list of strings.
enum OptionValue: Codable, Sendable, Equatable {
  case none
  case flag(Bool)
  case number(Int64)
  case list([String])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .none
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? container.decode(Int64.self) {
      self = .number(number)
    } else {
      self = .list(try container.decode([String].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .none: try container.encodeNil()
    case .flag(let flag): try container.encode(flag)
    case .number(let number): try container.encode(number)
    case .list(let list): try container.encode(list)
    }
  }
}
