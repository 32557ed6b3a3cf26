import Basics
import ClientKit

/// The calls of the preferences as values. The tenant is the one of the scope.
package struct PreferenceCall: ServiceCall, Equatable {
    package enum Operation: Sendable, Equatable {
        /// All preferences.
        case full(PreferenceArgs)
        case categories(PreferenceArgs, limit: Int?, offset: Int?)
        /// The service accepts no tags here.
        case category(String, PreferenceArgs)
        case channels
        case patchCategory(String, PreferenceArgs, body: JSONValue)
        case patchChannels(body: JSONValue)
    }

    package var operation: Operation
    package var routes: PreferenceRoutes

    package init(_ operation: Operation, routes: PreferenceRoutes) {
        self.operation = operation
        self.routes = routes
    }

    package var method: String { body == nil ? "GET" : "PATCH" }

    package var body: String? {
        switch operation {
        case .patchCategory(_, _, let body), .patchChannels(let body): body.text
        default: nil
        }
    }

    /// The URL, with a trailing slash in both families, as in the service's SDK for Apple platforms.
    package func url(in scope: RequestScope) -> String {
        let user = scope.distinctID.percentEncoded
        let base =
            switch routes {
            case .subscriber: "/v2/subscriber/\(user)/"
            case .user: "/v1/user/\(user)/preference/"
            }
        let query = (scope.tenantID.map { [("tenant_id", $0)] } ?? []) + query
        return scope.hosts.hub + base + route + query.encoded
    }

    private var route: String {
        switch operation {
        case .full: routes == .subscriber ? "full_preference/" : ""
        case .categories: "category/"
        case .category(let slug, _), .patchCategory(let slug, _, _): "category/\(slug.percentEncoded)/"
        case .channels, .patchChannels: "channel_preference/"
        }
    }

    /// Query parameters besides the tenant, not yet encoded.
    private var query: Query {
        switch operation {
        case .full(let args), .patchCategory(_, let args, _): return query(args)
        case .categories(let args, let limit, let offset):
            return query(args) + (limit.map { [("limit", "\($0)")] } ?? [])
                + (offset.map { [("offset", "\($0)")] } ?? [])
        case .category(_, var args):
            args.tags = nil
            return query(args)
        case .channels, .patchChannels: return []
        }
    }

    private func query(_ args: PreferenceArgs) -> Query {
        // Always sent: the service's default for categories is false, unlike here.
        var query: Query = [("show_opt_out_channels", "\(args.showsOptOutChannels)")]
        if let tags = args.tags { query.append(("tags", tags.parameter)) }
        if let locale = args.locale { query.append(("locale", locale)) }
        return query
    }
}
