import Stagecoach
import UsersService

/// What the generated contract tests send the recorded requests to.
func contractSubject() async throws -> any Transport {
  HandlerTransport { try await UsersService.answer($0) }
}
