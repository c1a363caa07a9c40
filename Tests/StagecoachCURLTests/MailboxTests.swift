#if CURL
  import Stagecoach
  import Testing

  @testable import StagecoachCURL

  @Suite struct MailboxTests {
    /// Such as when the system had no descriptors.
    @Test func aThreadThatCouldNotStartIsStartedAgain() async {
      let mailbox = Mailbox()
      #expect(mailbox.post(.sweep) == .startThread)
      #expect(mailbox.post(.sweep) == .taken)
      #expect(mailbox.markEnded(isStarted: false).count == 2)
      #expect(mailbox.post(.sweep) == .startThread)
      #expect(mailbox.markEnded(isStarted: true).count == 1)
      #expect(mailbox.post(.sweep) == .refused)
      await mailbox.end()
    }

    @Test func aThreadThatCouldNotStartKeepsNoShutdownWaiting() async {
      let mailbox = Mailbox()
      #expect(mailbox.post(.sweep) == .startThread)
      mailbox.shut()
      #expect(mailbox.markEnded(isStarted: false).count == 1)
      await mailbox.end()
    }
  }
#endif
