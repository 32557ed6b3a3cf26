import Testing

@testable import Agent

/// Where a `token_command` runs, and with which words.
@Suite struct CommandLocationTests {
    @Test("Token commands run in units if systemd started the agent, else as child processes") func place() {
        func place(_ environment: [String: String], hasServiceManager: Bool = true) -> CommandLocation {
            CommandLocation(environment: environment, processID: 7) { path in
                hasServiceManager && path == "/run/user/1000/systemd/private"
            }
        }
        let service = ["SYSTEMD_EXEC_PID": "7", "XDG_RUNTIME_DIR": "/run/user/1000"]
        #expect(place(service) == .unit)
        #expect(place(service, hasServiceManager: false) == .here)
        // The variable of a service that this process is a child of.
        #expect(place(["SYSTEMD_EXEC_PID": "6", "XDG_RUNTIME_DIR": "/run/user/1000"]) == .here)
        #expect(place([:]) == .here)
    }

    @Test("A command in a unit keeps its arguments and gets a deadline") func arguments() {
        let command = ["bw", "get", "password", "a b", "--raw"]
        #expect(CommandLocation.here.words(command, deadline: .seconds(120)) == command)
        let words = CommandLocation.unit.words(command, deadline: .seconds(120))
        #expect(words.first == "systemd-run" && words.contains("--property=RuntimeMaxSec=120"))
        #expect(Array(words.suffix(6)) == ["--"] + command)
    }

    @Test(
        "systemd passes each argument of a command in a unit as it is",
        arguments: [
            (["pass", "${t}"], ["pass", "$${t}"]), (["pass", "$ecret"], ["pass", "$$ecret"]),
            (["pass", "$$"], ["pass", "$$$$"]), (["pass", "a b", "%h"], ["pass", "a b", "%h"]),
            (["/opt/$x/pass", "$y"], ["env", "/opt/$$x/pass", "$$y"]),
        ]
    )
    func dollars(command: [String], words: [String]) {
        let all = CommandLocation.unit.words(command, deadline: .seconds(120))
        #expect(all.drop { $0 != "--" }.dropFirst() == words[...])
        #expect(CommandLocation.here.words(command, deadline: .seconds(120)) == command)
    }

    @Test("A command in a unit is killed by the unit's name") func cleanup() {
        #expect(CommandLocation.here.cleanup(unit: "a.service").isEmpty)
        #expect(
            CommandLocation.unit.words(["pass"], deadline: .seconds(1), unit: "a.service").contains("--unit=a.service")
        )
        #expect(CommandLocation.unit.cleanup(unit: "a.service").suffix(2) == ["--signal=SIGKILL", "a.service"])
    }
}
