/// The commands in words, for `help` and for `--help`.
package enum CommandHelp {
    // At most 80 columns, so that no terminal breaks the lines elsewhere.
    package static let text = """
        A command is a name and a JSON object: a line on standard input, such as
        publish {"text":"Hi"}; POST /control/NAME with the object as its body; or
        feedbell-sandbox control URL NAME JSON. "user" and "tenant" say whose inbox
        is meant and may be left out when there is only one.

        NOTIFICATIONS
          publish {"header":"Hi","text":"…","is_pinned":true,"actions":[…],"count":1}
          publish {"notifications":[{…},{…}]}
              Any field of a row or of its message. "ack":true asks for an ack,
              "trailing":[…] replaces the offset, "copies":2 sends the event twice,
              "announce":false sends none.
          publish-raw {"row":{"n_id":"x","created_on":"yesterday"}}
              Keeps the row as it is, malformed or not.
          samples {}
              Six realistic notifications.
          update {"n_id":"…","patch":{"is_pinned":true}}
          expire {"n_id":"…"}
          remove {"n_id":"…"}
              Without an event; its details then answer 404.
          act {"n_id":"…","action":"read"}
              seen, read, unread, interacted or archive, as from another device.
          archive {"n_id":"…"}
          seen {"notification_ids":["…"]}
          read-all {}
          reset-badge {}
          preferences {"sections":[…],"channel_preferences":[…]}

        SOCKET
          emit {"event":"something_new","arguments":[{"x":1}]}
              With "ack", "trailing", "copies" as above.
          frame {"text":"6"} or {"binary":[1,2,3]}
          drop {"how":"close","code":1001,"connection":3}
              reset, finish, close, engine-close, disconnect or silence; all
              connections unless one is named. With "at" and "times", the next ones at a
              step of joining: open (instead of the handshake), handshake (after it),
              connect (instead of the answer to CONNECT), joined (after it).
          hold-rooms {"on":true}
              Who connects from now on gets joined_room, and events, only when it is off
              again; what is published until then is not sent later.
          refuse {"times":1,"message":"Authentication Error: wrong auth token"}
          pings {"interval_ms":300,"timeout_ms":200}
              For connections from now on.
          recovery {"on":false,"window_ms":120000}

        HTTP FAULTS
          fault {"kind":"status","status":503,"body":{…},"headers":{…},
                 "method":"GET","path":"/v1/feed","times":2,"applied":false}
              For the next "times" requests with this method and beginning of the
              path; /socket.io/ is the WebSocket upgrade. With "applied":true the
              request takes effect before its answer is lost. Other kinds: html,
              empty, delay ("delay_ms"), hold, close-mid-body, close, reset,
              endless, slow-loris ("interval_ms"), large ("bytes").
          release {}
              Lets held answers go.
          clear-faults {}

        TOKENS AND TIME
          token {"lifetime_s":3600,"generation":1}
              Answers a token; a negative lifetime makes an expired one. Alone, as a
              token_command prints it: feedbell-sandbox token URL.
          enforce-tokens {"on":false}
              Whether clients need a token, which they do at first.
          rotate-tokens {}
              Tokens made so far are no longer valid.
          clock {"offset_ms":60000}

        LISTS
          state, connections, acks, violations, events, interactions,
          notifications, requests {"after":0}
              Over HTTP also with GET.
          clear {}
              Empties the logs.
          help
        """
}
