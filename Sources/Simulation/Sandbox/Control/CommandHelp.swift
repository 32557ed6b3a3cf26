/// The text of `help` and `--help`.
package enum CommandHelp {
    // At most 80 columns, so that a terminal does not wrap the lines.
    package static let text = """
        A command is a name and a JSON object: a line on standard input, such as
        publish {"text":"Hi"}; POST /control/NAME with the object as its body; or
        feedbell-sandbox control URL NAME JSON. "user" and "tenant" select the inbox;
        they are optional when there is only one.

        NOTIFICATIONS
          publish {"header":"Hi","text":"…","is_pinned":true,"actions":[…],"count":1}
          publish {"notifications":[{…},{…}]}
              Any field of a row or of its message. "ack":true requests an ack,
              "trailing":[…] replaces the offset, "copies":2 sends the event twice,
              "announce":false sends no event.
          publish-raw {"row":{"n_id":"x","created_on":"yesterday"}}
              Store the row unchanged, malformed or not.
          samples {}
              Publish eight realistic notifications.
          update {"n_id":"…","patch":{"is_pinned":true}}
          expire {"n_id":"…"}
          remove {"n_id":"…"}
              Remove the row without an event; its details then return 404.
          act {"n_id":"…","action":"read"}
              Act as another device: seen, read, unread, interacted or archive.
          archive {"n_id":"…"}
          seen {"notification_ids":["…"]}
          read-all {}
          reset-badge {}
          preferences {"sections":[…],"channel_preferences":[…]}
          POST /trigger/ with the API key \(SandboxService.apiKey) starts a workflow, as
              feedbell-notify does: its data are title, text and url.

        SOCKET
          emit {"event":"something_new","arguments":[{"x":1}]}
              "ack", "trailing" and "copies" as above.
          frame {"text":"6"} or {"binary":[1,2,3]}
          drop {"how":"close","code":1001,"connection":3}
              reset, finish, close, engine-close, disconnect or silence. Without
              "connection", all connections. With "at" and "times", the next
              connections, each at a step of joining: open (instead of the
              handshake), handshake (after it), connect (instead of the answer to
              CONNECT), joined (after it).
          hold-rooms {"on":true}
              New connections get joined_room and events only after "on":false.
              Events published before that are not sent later.
          refuse {"times":1,"message":"Authentication Error: wrong auth token"}
          pings {"interval_ms":300,"timeout_ms":200}
              Set the heartbeat of new connections.
          recovery {"on":false,"window_ms":120000}

        HTTP FAULTS
          fault {"kind":"status","status":503,"body":{…},"headers":{…},
                 "method":"GET","path":"/v1/feed","times":2,"applied":false}
              Fail the next "times" requests with this method and path prefix;
              /socket.io/ is the WebSocket upgrade. With "applied":true the
              request takes effect before its answer is lost. Other kinds: html,
              empty, delay ("delay_ms"), hold, close-mid-body, close, reset,
              endless, slow-loris ("interval_ms"), large ("bytes").
          release {}
              Send the held answers and end all hold faults.
          clear-faults {}

        TOKENS AND TIME
          token {"lifetime_s":3600,"generation":1}
              Return a token; a negative lifetime makes an expired one. For a
              token_command, feedbell-sandbox token URL prints the token alone.
          enforce-tokens {"on":false}
              Require a valid token from clients (default: on).
          rotate-tokens {}
              Invalidate all tokens made so far.
          clock {"offset_ms":60000}

        SIGN-IN (serve --sign-in)
          sign-in {"lifetime_s":300,"refresh":true,"scope":"openid","user":"bob",
                   "issuer":"https://…","iss":"https://…","codes":true,"end":true}
              The lifetime of access tokens, whether refresh tokens are granted,
              the granted scope, whose token the backend gives, the issuer of the
              metadata and of responses, whether there are codes for devices; what
              is left out is as usual. "end" ends all sign-ins.

        LISTS
          state, connections, acks, violations, events, interactions,
          notifications, requests {"after":0}
              Also with GET over HTTP.
          clear {}
              Empty the logs.
          help
        """
}
