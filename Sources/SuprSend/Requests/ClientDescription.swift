/// How this library names itself to the service, in the two forms of suprsend.md §1.5. The service is not known to read either.
enum ClientDescription {
    private static let sdk = "feedbell-suprsend-swift"
    private static let version = "0.1.0"

    static let json =
        #"{"environment":"desktop","lang":"swift","os":"linux","platform":"linux","sdk":"\#(sdk)","sdk_version":"\#(version)"}"#

    static let line = "\(sdk)/\(version) (swift; linux)"
}
