import Testing

@testable import feedbell

@Suite struct SessionEnvironmentTests {
    private func environment(
        _ variables: [String: String],
        owners: [String: UInt32] = ["/run/user/1001": 1001, "/run/user/1001/bus": 1001, "/run/user/1000": 1000]
    ) -> SessionEnvironment {
        SessionEnvironment(user: 1001, variable: { variables[$0] }, owner: { owners[$0] })
    }

    @Test("The user's own bus is used where the variables are missing") func missingDirectory() {
        #expect(environment([:]).missingDirectory == "/run/user/1001")
        #expect(environment(["SUDO_USER": "ben"]).missingDirectory == "/run/user/1001")
        for name in ["XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"] {
            #expect(environment([name: "x"]).missingDirectory == nil)
        }
        #expect(environment([:], owners: [:]).missingDirectory == nil)
        for (directory, bus) in [(1001, nil), (1000, 1001), (1001, 0)] as [(UInt32, UInt32?)] {
            let owners = ["/run/user/1001": directory, "/run/user/1001/bus": bus].compactMapValues(\.self)
            #expect(environment([:], owners: owners).missingDirectory == nil)
        }
    }

    @Test("The advice tells sudo and the directory of another user apart") func advice() {
        let other = environment(["XDG_RUNTIME_DIR": "/run/user/1000", "SUDO_USER": "ben"]).advice
        #expect(other.hasPrefix("XDG_RUNTIME_DIR is that of another user."))
        #expect(other.hasSuffix("env -u DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR=/run/user/1001 feedbell …"))
        #expect(environment(["SUDO_USER": "ben"]).advice.hasPrefix("sudo runs feedbell as a user who has no session."))
        for variables in [[:], ["XDG_RUNTIME_DIR": "/run/user/1001"], ["XDG_RUNTIME_DIR": "/gone"]] {
            #expect(environment(variables).advice.hasPrefix("Run feedbell while you are logged in"))
        }
    }
}
