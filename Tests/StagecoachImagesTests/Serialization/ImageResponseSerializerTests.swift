#if Images
  import HTTPTypes
  import StagecoachCore
  import StagecoachSerializers
  import StagecoachStages
  import TestSupport
  import Testing

  @testable import StagecoachImages

  @Suite struct ImageResponseSerializerTests {
    private let file = PNGFile.random(.rgba, width: 6, height: 4)

    private func client(_ response: @escaping @Sendable () -> Response) throws -> (Client, HandlerTransport) {
      let transport = HandlerTransport { _ in response() }
      return (try Client(Pipeline(over: transport) { Validation() }), transport)
    }

    private func failure(_ response: Response, to request: Request = .get("http://h/")) async throws
      -> ExchangeError?
    {
      let (client, _) = try client { response }
      do {
        _ = try await client.value(for: request, as: .image)
        return nil
      } catch let error as ExchangeError {
        return error
      }
    }

    @Test func decodesAndDeclares() async throws {
      let (client, transport) = try client { [file] in .streamed([Bytes(file.bytes)], type: "image/png") }
      let image = try await client.value(for: .get("http://h/a"), as: .image)
      #expect(image.pixels == file.pixels)
      #expect(transport.requests.first?.fields[.accept] == "image/png, image/jpeg, image/webp")
    }

    @Test func theBytesDecideTheFormat() async throws {
      let bytes = try webP(noise(96), 6, 4)
      for type in ["image/png", "image/jpeg", "image/webp", "IMAGE/PNG; a=b"] {
        let (client, _) = try client { .streamed([Bytes(bytes)], type: type) }
        #expect(try await client.value(for: .get("http://h/a"), as: .image).format == .webP)
      }
    }

    @Test(arguments: ["text/html", "image/gif", "application/octet-stream"])
    func otherTypesAreRefused(type: String) async throws {
      #expect(try await failure(.streamed([Bytes(file.bytes)], type: type))?.kind == .mediaType)
    }

    @Test func appliesScaleAndOrientation() async throws {
      var turned = file
      turned.extra = [("eXIf", exif(6))]
      let bytes = turned.bytes
      let (client, _) = try client { .streamed([Bytes(bytes)], type: "image/png") }
      let applied = try await client.value(
        for: .get("http://h/"),
        as: ImageResponseSerializer(scale: 2)
      )
      #expect((applied.width, applied.height, applied.scale, applied.orientation) == (4, 6, 2, .up))
      #expect(applied.pointSize == (2, 3))
      let reported = try await client.value(
        for: .get("http://h/"),
        as: ImageResponseSerializer(scale: -1, appliesOrientation: false)
      )
      #expect((reported.width, reported.height, reported.scale, reported.orientation) == (6, 4, 1, .right))
      #expect(reported.pointSize == (4, 6))
    }

    @Test func refusesAnEmptyBody() async throws {
      let error = try await failure(Response(.ok, fields: [.contentType: "image/png"]))
      #expect(error?.kind == .serialization)
      #expect(error?.message == "the body is empty (expected an image)")
      #expect(error?.stage == "ImageResponseSerializer")
      let none = try await failure(Response(.noContent))
      #expect(none?.advice?.contains("204") == true)
    }

    @Test func refusesABodyThatIsNotAnImage() async throws {
      let error = try await failure(.streamed(["<html>"], type: "image/png"))
      #expect(error?.kind == .serialization)
      #expect((error?.underlying as? ImageError)?.reason == .unknownFormat)
      #expect(error?.bodyPrefix == "<html>")
      #expect(error?.message == "the data does not start like PNG, JPEG or WebP")
    }

    @Test func refusesATruncatedImage() async throws {
      let error = try await failure(.streamed([Bytes(file.bytes).prefix(60)], type: "image/png"))
      #expect((error?.underlying as? ImageError)?.reason == .truncated)
      #expect(error?.message == "the PNG image cannot be decoded: the data ends before the image does")
    }

    @Test func refusesImagesBeyondPixelAndBodyLimits() async throws {
      let response = { [file] in Response.streamed([Bytes(file.bytes)], type: "image/png") }
      let pixels = try await failure(response(), to: .get("http://h/").with(\.imagePixelLimit, 23))
      #expect(pixels?.kind == .limit(.structure))
      #expect(pixels?.limit?.description == "imagePixelLimit = 23 pixels")
      #expect(pixels?.advice == "raise options.imagePixelLimit if images of this size are expected")
      #expect(try await failure(response(), to: .get("http://h/").with(\.imagePixelLimit, 24)) == nil)
      let body = try await failure(response(), to: .get("http://h/").with(\.bodyLimit, 20))
      #expect(body?.kind == .limit(.body))
    }

    @Test func worksAsAMemberOfACompound() async throws {
      let bytes = try jpeg(noise(300), 10, 10)
      let (client, _) = try client { .streamed([Bytes(bytes)], type: "image/jpeg") }
      let width = try await client.value(
        for: .get("http://h/"),
        as: CompoundResponseSerializer {
          TextResponseSerializer(accepting: Acceptance(.plainText)).map { $0.count }
          ImageResponseSerializer().map { $0.width }
        }
      )
      #expect(width == 10)
    }

    @Test func descriptionsShowNoPixels() async throws {
      let image = try await decode(file.bytes)
      #expect("\(image)" == "png image of 6 x 4 pixels")
      var text = ""
      dump(image, to: &text)
      #expect(text.contains("bytes: 96") && text.utf8.count < 1000)
    }

    @Test func anImageNeedsAllItsPixels() {
      func image(_ width: Int, _ height: Int, _ count: Int) -> Image? {
        Image(format: .png, width: width, height: height, pixels: noise(count))
      }
      #expect(image(2, 3, 24)?.pixels == noise(24))
      for (width, height, count) in [
        (2, 3, 23), (0, 3, 0), (-2, -3, 24), (.max, .max, 4), (2, 3, 0), (1, 5, 24),
      ] {
        #expect(image(width, height, count) == nil)
      }
      #expect(Image(format: .png, width: 1, height: 1, pixels: [1, 2, 3, 4], scale: .nan)?.scale == 1)
    }
  }
#endif
