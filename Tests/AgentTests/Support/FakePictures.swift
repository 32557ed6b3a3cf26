import Basics
import Inbox

/// Pictures that the test loads.
struct FakePictures: PictureSource {
    let requested = Mailbox<PictureURL>()
    let loaded = Mailbox<(PictureURL, String?)>()

    func request(_ url: PictureURL) { requested.send(url) }

    func run(_ report: @escaping @Sendable (PictureURL, _ file: String?) async -> Void) async {
        for await (url, file) in loaded.messages { await report(url, file) }
    }

    func pixels(of file: String) async -> PicturePixels? {
        PicturePixels(side: 1, bytes: [1, 2, 3, 4])
    }
}
