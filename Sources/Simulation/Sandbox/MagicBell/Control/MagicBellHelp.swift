/// The text of `help` of a simulated MagicBell.
package enum MagicBellHelp {
    // At most 80 columns, so that a terminal does not wrap the lines.
    package static let text = """
        A command is a name and a JSON object: a line on standard input, such as
        publish {"title":"Hi"}; POST /control/NAME with the object as its body; or
        feedbell-sandbox control URL NAME JSON. "user" is an external id or e-mail
        address; it is optional when there is only one user.

        NOTIFICATIONS
          publish {"title":"Hi","content":"…","category":"ci","topic":"build-1",
                   "action_url":"https://…","custom_attributes":{…},"count":1}
          publish {"notifications":[{…},{…}]}
              Any member of a notification, also malformed ones; times are in Unix
              seconds. "copies":2 sends the event twice with the same id,
              "announce":false sends no event.
          samples {}
              Publish five realistic notifications.
          update {"id":"…","patch":{"title":"Ho"}}
              Change members without an event.
          act {"id":"…","action":"read"}
              Act as another device: seen, read, unread, archive or unarchive.
          delete {"id":"…"}
          read-all {}
          seen-all {}
          remove {"id":"…"}
              Remove without an event; the notification is then unknown (404).
          shrink-pages {"by":1,"times":2}
              After each of the next lists, the newest of its page disappear.
          rest {"newer_preferences":false,"several_filters":false}
              Behave like older servers: preferences are an object whatever the
              version, and a filter of several categories has no effect.
          preferences {"categories":[{"slug":"ci","channels":[
                       {"slug":"email","enabled":true}]}]}
          POST /v2/broadcasts with the project token \(SimulatedMagicBell.projectToken)
              notifies users, as feedbell-notify does.

        SOCKETS
          emit {"name":"notifications/read","data":{"id":"…"},"encoding":"json"}
              Send any message. Ably's clients get "data" as it is.
          frame {"text":"{}"} or {"binary":[1,2,3]}
          drop {"how":"close","code":1001,"connection":3}
              reset, finish, close or silence. Without "connection", all of them.
              With "at":"open" and "times", the next ones, as soon as they open.
          socket-error {"code":40142,"message":"token expired"}
          socket-close {}
              Frames of the own socket, which stays open.
          expire-inbox-tokens {}
              The own socket refuses tokens that were registered before.

        ABLY
          announce {"frame":"auth"}
              auth, disconnected, detached, attached ("resumed"), channel-error or
              error, with "code", "status" and "message" of an error.
          refuse {"code":40400,"status":404,"message":"…","times":1}
              Answer the next connections with ERROR.
          expire-ably-tokens {}
              Connected clients get DISCONNECTED with 40142.
          ably {"fail_resumes":1,"omit_resumed":1,"hold_attach":true,
                "heartbeats":false,"idle_interval_ms":15000,
                "state_ttl_ms":120000,"token_lifetime_ms":3600000}
              Let the next resumes fail, let the next ATTACHED lack RESUMED, do not
              answer ATTACH, send no heartbeats; set intervals and lifetimes.

        HTTP FAULTS
          fault {"kind":"status","status":429,"headers":{"Retry-After":"2"},
                 "code":"forbidden","body":{…},
                 "method":"GET","path":"/notifications","times":2,"applied":false}
              Fail the next "times" requests with this method and path prefix. With
              "applied":true the request takes effect before its answer is lost.
              With "upgrade":true, WebSocket upgrades only. Other kinds: html, empty,
              truncated, delay ("delay_ms"), hold, close-mid-body, close, reset,
              endless, slow-loris ("interval_ms"), large ("bytes").
          release {}
              Send the held answers and end all hold faults.
          clear-faults {}

        USERS AND TIME
          token {"user":"…","lifetime_s":3600}
              Return a user token; a negative lifetime makes an expired one.
              feedbell-sandbox token URL prints the token alone.
          rotate-tokens {}
              Invalidate all user tokens made so far.
          hmac {"user":"…"}
              Return the HMAC of an external id or e-mail address.
          require-hmac {"on":true}
          clock {"offset_ms":60000}

        LISTS
          state, connections, notifications, tokens, violations,
          requests {"after":0}
              Also with GET over HTTP.
          clear {}
              Empty the logs.
          help
        """
}
