import Basics
import Inbox

/// The pictures of popups, and of notifications for clients on the bus.
extension PopupPresenter {
    /// The file with the picture of a notification of an account, loaded under the rules for popups.
    ///
    /// - Returns: The path of a square PNG file; nil: there is no picture, or it cannot be loaded.
    func picture(of notification: Notification, _ account: String) async -> String? {
        guard let pictures, let url = popups.pictureURL(of: notification, account) else { return nil }
        let loaded = Mailbox<String?>(.bufferingNewest(1))
        pictureWaiters[url, default: []].append(loaded)
        pictures.request(url)
        for await file in loaded.messages { return file }
        return nil
    }

    func loadPictures() async {
        await pictures?.run { url, file in await self.loaded(url, file) }
    }

    private func loaded(_ url: PictureURL, _ file: String?) {
        for waiter in pictureWaiters.removeValue(forKey: url) ?? [] { waiter.send(file) }
        receive(.pictureLoaded(url, file: file))
    }
}
