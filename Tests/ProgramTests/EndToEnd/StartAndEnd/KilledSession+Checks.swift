import AgentInterface
import DBus
import Sandbox
import TestSupport
import Testing

/// Checks of the agent and of the service at the end.
extension KilledSession {
    /// The agent and the service have the same states of the loaded notifications.
    func compareWithAgent() async throws {
        // A request of a killed agent may arrive last of all.
        var rows = service.rows(in: await sandbox.state)
        var (unread, counted) = (rows.count { !$0.isRead && !$0.isArchived }, try await unreadCount())
        while unread != counted {
            do { try await Task.sleep(for: .milliseconds(10)) } catch {
                Issue.record("\(unread) are unread, and the agent counts \(counted)")
                throw error
            }
            rows = service.rows(in: await sandbox.state)
            (unread, counted) = (rows.count { !$0.isRead && !$0.isArchived }, try await unreadCount())
        }
        for notification in try await account.call(AgentInbox.list, [:]) {
            guard case .string(let id)? = notification["id"], let row = rows.first(where: { $0.id == id }) else {
                Issue.record("the agent lists what the service does not have: \(notification)")
                continue
            }
            #expect(
                (notification["read"] != .int64(0)) == row.isRead && notification["archived"] == .bool(row.isArchived),
                "\(id)"
            )
        }
    }

    private func unreadCount() async throws -> Int { Int(try await account.get(AgentInbox.unreadCount)) }

    /// The whole state of the service: what was answered is there, and nothing is there that was not asked for.
    func check(_ kills: Int) async throws {
        let state = await sandbox.state
        for row in service.rows(in: state) {
            let id = row.id
            #expect(row.isClicked || !clicked.contains(id), "the click on \(id) is lost")
            #expect(row.isRead || !read.contains(id), "the reading of \(id) is lost")
            #expect(row.isArchived || !archived.contains(id), "the archiving of \(id) is lost")
            if service == .suprSend {
                #expect(!row.isClicked || clickAttempts.contains(id), "\(id) was not clicked")
            }
            #expect(!row.isRead || clickAttempts.contains(id) || touched[id] == "read", "\(id) was not read")
            #expect(!row.isArchived || touched[id] == "archive", "\(id) was not archived")
        }
        for name in service.switches {
            #expect(service.preference(name, in: state) == preferences[name] ?? initial[name], "\(name)")
        }

        let shown = await shown()
        #expect(Set(published.keys).symmetricDifference(shown) == [])
        #expect(!clicked.isEmpty && shownAtEnd.last != 0, "the killed agents did nothing")
        // A kill falls between the showing of one notification and its being recorded, at most: a later agent shows
        // that one again.
        var (shownBy, repeated) = ([String: Int](), [Int: [String]]())
        for (agent, (start, end)) in zip([0] + shownAtEnd, shownAtEnd + [shown.count]).enumerated() {
            for title in shown[start..<end] {
                if let earlier = shownBy[title] { repeated[earlier, default: []].append(title) }
                shownBy[title] = agent
            }
        }
        for (agent, titles) in repeated {
            #expect(titles.count <= 1, "not recorded when agent \(agent) was killed: \(titles)")
        }
        print(
            """
            \(service), \(disturbance): killed \(kills) times: \(published.count) notifications, \
            \(repeated.values.reduce(0) { $0 + $1.count }) of them shown once more; \
            \(clicked.count) clicks, \(read.count + archived.count) marks, \(preferences.count) preferences, none lost
            """
        )
    }
}
