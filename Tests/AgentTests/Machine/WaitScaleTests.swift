import Agent
import Testing

@Suite struct WaitScaleTests {
    @Test(
        "Only a scale from 0.01 to 1 shortens the waits of the agent",
        arguments: [("0.05", 0.05), ("1", 1), ("0.001", 1), ("2", 1), ("-1", 1), ("nan", 1), ("", 1), ("fast", 1)]
            as [(String, Double)]
    )
    func scale(text: String, expected: Double) {
        #expect(AgentEnvironment.waitScale(environment: [AgentEnvironment.waitScaleVariable: text]) == expected)
        #expect(AgentEnvironment.waitScale(environment: [:]) == 1)
    }
}
