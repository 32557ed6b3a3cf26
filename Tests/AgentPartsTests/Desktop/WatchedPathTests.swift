import ProgramKit
import Testing

@Suite struct WatchedPathTests {
    private static func names(_ path: String, in tree: [String: WatchedPath.Entry]) -> [String: Set<String>] {
        WatchedPath(path) { tree[$0] ?? .missing }.names
    }

    private static let home: [String: WatchedPath.Entry] = ["/home": .other, "/home/anna": .other]

    @Test("A file is watched in its directory only") func file() {
        let tree = Self.home.merging(["/home/anna/config.toml": .other]) { $1 }
        #expect(Self.names("/home/anna/config.toml", in: tree) == ["/home/anna": ["config.toml"]])
        #expect(Self.names("/home//anna/./config.toml", in: tree) == ["/home/anna": ["config.toml"]])
        #expect(Self.names("/home/bob/../anna/config.toml", in: tree) == ["/home": ["bob"]])
        #expect(Self.names("/home/anna/../anna/config.toml", in: tree) == ["/home/anna": ["config.toml"]])
    }

    @Test("A missing file or directory is watched where it has to appear") func missing() {
        #expect(Self.names("/home/anna/config.toml", in: Self.home) == ["/home/anna": ["config.toml"]])
        #expect(Self.names("/home/anna/.config/feedbell/config.toml", in: Self.home) == ["/home/anna": [".config"]])
        #expect(Self.names("/home/anna/config.toml", in: [:]) == ["/": ["home"]])
    }

    @Test("Each symbolic link on the way is watched, and the file that it leads to") func links() {
        let tree = Self.home.merging([
            "/home/anna/.config": .link("dotfiles/config"), "/home/anna/dotfiles": .other,
            "/home/anna/dotfiles/config": .other, "/home/anna/dotfiles/config/feedbell": .link("/srv/./feedbell/"),
            "/srv": .other, "/srv/feedbell": .other, "/srv/feedbell/config.toml": .link("../other.toml"),
            "/srv/other.toml": .other,
        ]) { $1 }
        #expect(
            Self.names("/home/anna/.config/feedbell/config.toml", in: tree) == [
                "/home/anna": [".config"], "/home/anna/dotfiles/config": ["feedbell"],
                "/srv/feedbell": ["config.toml"], "/srv": ["other.toml"],
            ]
        )
    }

    @Test("Links to themselves and to nothing end") func loops() {
        #expect(Self.names("/a", in: ["/a": .link("/a")]) == ["/": ["a"]])
        #expect(Self.names("/a", in: ["/a": .link("b"), "/b": .link("a")]) == ["/": ["a", "b"]])
        #expect(Self.names("/a", in: ["/a": .link("/gone/b")]) == ["/": ["a", "gone"]])
        #expect(Self.names("/a", in: ["/a": .link("a/a/a/a")]) == ["/": ["a"]])
        #expect(Self.names("/", in: [:]) == [:])
        #expect(Self.names("/../..", in: [:]) == [:])
    }
}
