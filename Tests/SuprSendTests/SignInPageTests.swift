import ClientKit
import Testing

@testable import SuprSend

/// Pages of the network in place of an answer mean offline, neither a refusal nor an empty inbox.
struct SignInPageTests {
    private static func error(_ status: Int, _ type: String, _ body: String) -> SuprSendError? {
        let headers = [HTTPField("Content-Type", type), HTTPField("Location", "http://portal.example/login")]
        let response = HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
        do throws(SuprSendError) {
            _ = try ResponseDecoder.decode(response, as: NotificationPage.self)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "An HTML page in place of an answer is reported as a login page of the network",
        arguments: [200, 203, 301, 302, 303, 307, 308, 511],
        ["text/html", "TEXT/HTML; charset=utf-8", ""]
    )
    func signInPages(status: Int, type: String) {
        let error = Self.error(status, type, "\n <!DOCTYPE html><title>Welcome</title>")
        #expect(error?.kind == .unexpectedAnswer)
        #expect(error?.isRetryable == true)
        #expect(error?.message.contains("a login page of the network seems to be in the way") == true)
    }

    /// A gateway forbids the request, which does not concern the user's token.
    @Test("An HTML page with 401 or 403 is no refusal by the service", arguments: [401, 403]) func refusalPages(
        status: Int
    ) {
        #expect(Self.error(status, "text/html", "<html>Forbidden</html>")?.kind == .unexpectedAnswer)
        let byTheService = Self.error(status, "application/json", #"{"code":\#(status),"message":"no"}"#)
        #expect(byTheService?.kind == (status == 401 ? .unauthorized : .forbidden))
    }

    @Test("An HTML page with 5xx is a failure of the server, not a login page", arguments: [500, 502, 503, 504])
    func gatewayPages(status: Int) {
        let error = Self.error(status, "text/html", "<html>bad gateway</html>")
        #expect(error?.kind == .serverFailure)
        #expect(error?.message.contains("login page") == false)
    }
}
