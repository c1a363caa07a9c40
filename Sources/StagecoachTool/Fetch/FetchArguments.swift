#if Tool
  import ArgumentParser
  import HTTPTypes
  import Stagecoach
  import StagecoachXML

  /// A method, as `-X` takes it.
  struct MethodArgument: ExpressibleByArgument {
    let method: HTTPRequest.Method

    init?(argument: String) {
      guard !argument.isEmpty, let method = HTTPRequest.Method(rawValue: argument) else { return nil }
      self.method = method
    }
  }

  /// A parameter, as `--query` and `--form` take it: `name=value`.
  struct ParameterArgument: ExpressibleByArgument {
    let member: Parameters.Member

    init?(argument: String) {
      guard let equals = argument.firstIndex(of: "="), equals != argument.startIndex else { return nil }
      let value = argument[argument.index(after: equals)...]
      member = Parameters.Member(key: String(argument[..<equals]), value: .string(String(value)))
    }
  }

  /// A part of a multipart form, as `--part` takes it: `name=value`, or `name=@PATH` with `;type=` and a media
  /// type behind it if the one of the file's extension is not wanted.
  enum PartArgument: ExpressibleByArgument {
    case text(name: String, value: String)
    case file(name: String, FileArgument, MediaType?)

    init?(argument: String) {
      guard let parameter = ParameterArgument(argument: argument),
        case .string(let value) = parameter.member.value
      else { return nil }
      let name = parameter.member.key
      guard value.hasPrefix("@") else {
        self = .text(name: name, value: value)
        return
      }
      guard let marker = value.firstRange(of: ";type=") else {
        guard let file = FileArgument(argument: value) else { return nil }
        self = .file(name: name, file, nil)
        return
      }
      guard let file = FileArgument(argument: String(value[..<marker.lowerBound])),
        let type = MediaType(String(value[marker.upperBound...]))
      else { return nil }
      self = .file(name: name, file, type)
    }

    /// Whether the part is standard input.
    var isStandardInput: Bool {
      if case .file(_, let file, _) = self { file.isStandardInput } else { false }
    }

    func part() throws -> MultipartBody.Part {
      switch self {
      case .text(let name, let value): .text(value, name: name)
      case .file(let name, let file, let type) where file.isStandardInput:
        MultipartBody.Part(name: name, fileName: file.path, mediaType: type, body: try file.body())
      case .file(let name, let file, let type): try .file(file.path, name: name, mediaType: type)
      }
    }
  }

  /// A local file, as `--body` takes it: `@PATH`, or `@-` for standard input.
  struct FileArgument: ExpressibleByArgument {
    let path: String

    init?(argument: String) {
      guard argument.hasPrefix("@"), argument.count > 1 else { return nil }
      path = String(argument.dropFirst())
    }
  }

  /// A path of elements, as `--records` takes it.
  struct ElementPathArgument: ExpressibleByArgument {
    let path: XML.ElementPath

    init?(argument: String) {
      guard let path = XML.ElementPath(argument) else { return nil }
      self.path = path
    }
  }

  /// JSON, as `--json` takes it: the text itself or `@PATH`.
  enum JSONArgument: ExpressibleByArgument {
    case value(JSONValue)
    case file(FileArgument)

    init?(argument: String) {
      if let file = FileArgument(argument: argument) {
        self = .file(file)
      } else if let value = try? JSONValue(parsing: argument) {
        self = .value(value)
      } else {
        return nil
      }
    }
  }

  /// The way the body is decoded.
  enum BodyForm: String, ExpressibleByArgument, CaseIterable {
    case auto, data, text, json, xml, html, plist, form, sse, ndjson
  }

  /// The report that is printed instead of the body.
  enum ReportForm: String, ExpressibleByArgument, CaseIterable {
    case json
  }
#endif
