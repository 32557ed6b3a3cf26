import NIOSSL

/// A certificate for `localhost`, signed by itself, valid for a hundred years. It protects nothing.
///
/// Made with `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj /CN=localhost
/// -addext subjectAltName=DNS:localhost -addext basicConstraints=critical,CA:TRUE`.
enum TestCertificate {
    /// - Parameter newest: The newest version of TLS that the server speaks; nil: all.
    static func serverContext(upTo newest: TLSVersion? = nil) throws -> NIOSSLContext {
        let certificates = try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8))
        let key = try NIOSSLPrivateKey(bytes: Array(privateKey.utf8), format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.maximumTLSVersion = newest
        return try NIOSSLContext(configuration: configuration)
    }

    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBlTCCATugAwIBAgIUS4/8DeLuCpjfR77kNIg8xBAc4a8wCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTA1NDEyNloYDzIxMjYxMDI4
        MDU0MTI2WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAASgB7fA+sT9USxI+1b/w5FJDq6gxAzDyukP8UYXmt7TdTnONuDjUuHh
        rkfI2jzS6Ro6bdIjsEFxbR8a/fYkMXHFo2kwZzAdBgNVHQ4EFgQUHSIn7Y4rvmFM
        7QrG3SB+DbjMNv8wHwYDVR0jBBgwFoAUHSIn7Y4rvmFM7QrG3SB+DbjMNv8wFAYD
        VR0RBA0wC4IJbG9jYWxob3N0MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwID
        SAAwRQIgVloxSucYYBn5fqGkcMzCO8fuT3WmCTsFC+jJ9aR4bHsCIQCv5BUjIkRa
        3/8QNA8puiTuIOz+hSMZGo/ZtL2NS33WFQ==
        -----END CERTIFICATE-----
        """

    private static let privateKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgRo5ZJhyrVKdDNy0F
        DiR9frmRfTjY529qmnDErAja+L6hRANCAASgB7fA+sT9USxI+1b/w5FJDq6gxAzD
        yukP8UYXmt7TdTnONuDjUuHhrkfI2jzS6Ro6bdIjsEFxbR8a/fYkMXHF
        -----END PRIVATE KEY-----
        """
}
