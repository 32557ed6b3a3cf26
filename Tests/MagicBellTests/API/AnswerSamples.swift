/// Answers of the service, with invented contents.
enum AnswerSamples {
    /// HS256 with the secret `s3cr3t-key`: `{"user_email":"mary@example.com","user_external_id":"user-001",
    /// "api_key":"pk_test_demo","iat":1767225600,"exp":1798761600}`.
    static let token =
        """
        eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ1c2VyX2VtYWlsIjoibWFyeUBleGFtcGxlLmNvbSIsInVzZXJfZXh0ZXJuYWxfaWQiOiJ1c2\
        VyLTAwMSIsImFwaV9rZXkiOiJwa190ZXN0X2RlbW8iLCJpYXQiOjE3NjcyMjU2MDAsImV4cCI6MTc5ODc2MTYwMH0.-MlwePPUyzz78ns0w4RsX\
        Dn2jrxDWKUZfxd_FSSK5OM
        """

    static let failedBuild =
        #"""
        {"id":"4f6f0c7e-0a55-4c1e-9d0b-6f1b6c0d0001","title":"Build 812 failed","content":"<b>3</b> tests",
         "action_url":"https://ci.example/812","category":"ci","topic":"build-812",
         "custom_attributes":{"build":812,"tags":["red"]},
         "recipient":{"id":"9a1d","external_id":"user-001","email":"mary@example.com","first_name":null,
                      "last_name":null,"custom_attributes":{},"phone_numbers":[]},
         "sent_at":1767225600,"seen_at":null,"read_at":null,"archived_at":null}
        """#

    static let welcome =
        #"""
        {"id":"4f6f0c7e-0a55-4c1e-9d0b-6f1b6c0d0002","title":"Welcome","content":null,"action_url":null,
         "category":null,"topic":null,"custom_attributes":null,
         "recipient":{"id":"9a1d","email":"mary@example.com"},
         "sent_at":1767139200,"seen_at":1767139260,"read_at":1767139300,"archived_at":null}
        """#

    static let list =
        #"""
        {"project_id":83,"total":2,"total_pages":1,"per_page":50,"current_page":1,"unseen_count":1,"unread_count":1,
         "notifications":[\#(failedBuild),\#(welcome)]}
        """#

    static let userList =
        #"""
        {"data":[{"id":"0f8a","title":"Build 812 failed","content":null,"status":"unseen","user_id":"u-1",
          "category":"ci","topic":null,"action_url":null,"custom_attributes":null,
          "created_at":"2026-01-01T00:00:00.125Z","updated_at":"2026-01-01T00:00:00.125Z",
          "sent_at":"2026-01-01T00:00:00.500Z","seen_at":null,"read_at":null,"archived_at":null,"discarded_at":null}],
         "links":{"first":"/v2/notifications?limit=1","next":"/v2/notifications?limit=1&starting_after=0f8a",
                  "prev":null}}
        """#

    static let configuration =
        #"""
        {"ws":{"region":"eu","channel":"project:11:channel:YWJjZA==","auth_url":"/ws/auth"},
         "inbox":{"features":{"no_magicbell_branding":{"enabled":true}}},
         "channels":{"webPush":{"enabled":false,"config":{"subscribeUrl":"https://push.example/sub",
          "vapidAuthentication":{"publicKey":"BEx4"}}}}}
        """#

    static let ablyRequest =
        #"""
        {"keyName":"appAB.keyCD","timestamp":1767225600123,"nonce":"f00dfeedf00dfeed","ttl":3600000,
         "capability":"{\"project:11:channel:YWJjZA==\":[\"*\"],\"project:11:channel:YWJjZA==:*\":[\"*\"]}",
         "mac":"q2Zr="}
        """#

    static let ablyToken =
        #"""
        {"token":"appAB.tok-1","keyName":"appAB.keyCD","issued":1767225600500,"expires":1767229200500,
         "capability":"{\"*\":[\"*\"]}"}
        """#

    static let preferences =
        #"""
        {"notification_preferences":{"categories":[{"slug":"ci","label":"Builds","channels":[
          {"slug":"in_app","label":"In app","enabled":true},{"slug":"email","label":"E-mail","enabled":false}]}]}}
        """#

    static let olderPreferences =
        #"""
        {"notification_preferences":{"categories":{
          "ci":{"email":false,"in_app":true,"mobile_push":true,"web_push":false}}}}
        """#

    static let userPreferences =
        #"""
        {"categories":[{"key":"ci","label":"Builds","channels":[
          {"name":"in_app","enabled":true},{"name":"email","enabled":false}]}]}
        """#

    static let noUser =
        #"""
        {"errors":[{"code":"user_identifier_not_provided","message":"Provide a user identifier",
          "suggestion":"Send an external id or e-mail header","help_link":"https://example.invalid/help"}]}
        """#

    static let twoProblems = #"{"errors":[{"message":"Title is missing"},{"message":"Recipient is missing"}]}"#
}
