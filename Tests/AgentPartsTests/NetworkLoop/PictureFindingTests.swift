import AgentInterface
import Testing

@testable import Agent
@testable import feedbell_agent

@Suite struct PictureFindingTests {
    @Test(
        "A decoder that is missing, does not work or cannot be confined is a warning with its cure",
        arguments: [
            (PictureDecoder.Problem.notInstalled, "is not installed"), (.notWorking, "does not work"),
            (.notConfined, "the system does not let feedbell-picture give up files and network"),
        ]
    )
    func problems(problem: PictureDecoder.Problem, reason: String) {
        let finding = PictureDecoder.finding(of: problem)
        #expect(finding.topic == .notifications && finding.level == .warning)
        #expect(finding.sentence.hasPrefix("Popups have no pictures, because ") && finding.sentence.contains(reason))
        #expect(finding.remedy?.contains("pictures = false") == true)
    }
}
