/// The commands in words, for `help` and for `--help`.
package enum CommandHelp {
    package static let text = """
        A command is a name and a JSON object, as a line on standard input (publish {"text":"Hi"}), as
        POST /control/NAME with the object as body, or with 'feedbell-sandbox control URL NAME JSON'.
        "user" and "tenant" say whose inbox is meant and may be left out when there is only one.

        Notifications
          publish         {"header":"Hi","text":"…","is_pinned":true,"n_category":"builds","actions":[…],"count":1}
                          any field of a row or of its message; or {"notifications":[{…},…]}
                          "ack":true asks for an ack, "trailing":[…] replaces the offset, "copies":2 sends twice,
                          "announce":false sends nothing
          publish-raw     {"row":{"n_id":"x","created_on":"yesterday"}}   kept as it is, malformed or not
          samples         {}   six realistic notifications
          update          {"n_id":"…","patch":{"is_pinned":true}}   and a notification_update
          expire          {"n_id":"…"}
          act             {"n_id":"…","action":"seen|read|unread|interacted|archive"}   as from another device
          archive, remove {"n_id":"…"}   remove says nothing; details then answer 404
          seen            {"notification_ids":["…"]}
          read-all, reset-badge  {}
          preferences     {"sections":[…],"channel_preferences":[…]}

        The socket
          emit            {"event":"something_new","arguments":[{"x":1}],"ack":false,"trailing":[…],"copies":1}
          frame           {"text":"6"} or {"binary":[1,2,3]}   as it is
          drop            {"how":"reset|finish|close|engine-close|disconnect|silence","code":1001,"connection":3}
          refuse          {"times":1,"message":"Authentication Error: wrong auth token","data":{}}
          pings           {"interval_ms":300,"timeout_ms":200}   for connections from now on
          recovery        {"on":false,"window_ms":120000}

        HTTP faults, for the next "times" requests that match "method" and the beginning "path" of the path
        (/socket.io/ is the WebSocket upgrade); with "applied":true the request takes effect before its answer is lost
          fault           {"kind":"status","status":503,"body":{…} or "…","headers":{"Retry-After":"1"},
                           "method":"GET","path":"/v1/feed/notifications","times":2,"applied":false}
                          {"kind":"html"} {"kind":"empty","status":200} {"kind":"delay","delay_ms":500}
                          {"kind":"hold"} {"kind":"close-mid-body"} {"kind":"close"} {"kind":"reset"}
                          {"kind":"endless"} {"kind":"slow-loris","interval_ms":1000} {"kind":"large","bytes":100000000}
          release         {}   lets held answers go
          clear-faults    {}

        Tokens and time
          token           {"lifetime_s":3600,"generation":1}   prints one; a negative lifetime makes an expired one
          enforce-tokens  {"on":true}
          rotate-tokens   {}   tokens made so far are no longer valid
          clock           {"offset_ms":60000}

        Lists (also as GET)
          state, connections, acks, violations, events, requests {"after":0}, interactions, notifications
          clear           {}   empties the logs
          help
        """
}
