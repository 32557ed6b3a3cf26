import Basics

/// The pictures of popups. A popup waits for its picture, but not long; where the server replaces popups in place, a
/// picture that comes later is added to the open popup. Summaries have none.
extension Popups {
    /// The maximum time that a popup waits for its picture.
    package static let pictureTimeout = Duration.milliseconds(300)

    /// The picture of a notification of an account; nil: none that may be loaded.
    package func pictureURL(of notification: Notification, _ account: String) -> PictureURL? {
        guard policy.hasPictures, !notification.avatar.isEmpty else { return nil }
        let address = policy.reader(of: account).stated(notification.avatar)
        return PictureURL(address, privateHosts: policy.privatePictureHosts)
    }

    /// The picture to load for the popup of a notification; nil: none.
    func picture(of notification: Notification, _ account: String) -> PictureURL? {
        hidesText || !features.showsPictures ? nil : pictureURL(of: notification, account)
    }

    /// Holds a `Notify` call until its picture is loaded, or ``pictureTimeout`` is over.
    mutating func hold(_ call: Call, for url: PictureURL, since now: Timestamp) -> [Effect] {
        let isTimed = calls.contains { $0.picture.heldSince != nil }
        var call = call
        call.picture = .awaited(url, since: now)
        calls.append(call)
        return [.loadPicture(url)] + (isTimed ? [] : [.wait(.picture, Self.pictureTimeout)])
    }

    /// Handles the end of loading.
    ///
    /// - Parameter file: nil: there is no picture.
    mutating func finishLoading(_ url: PictureURL, file: String?) {
        for index in calls.indices where calls[index].picture.url == url {
            if calls[index].request == nil {
                calls[index].kept.popup.picture = file ?? ""
                calls[index].picture = .none
            } else {
                calls[index].picture = file.map { .late(file: $0) } ?? .none
            }
        }
        for (id, popup) in shown.takeMissingPictures(url) {
            guard let file, let open = shown[id], open.standing == .open else { continue }
            add(picture: file, to: SavedPopup(open: open, popup: popup), id: id)
        }
    }

    /// Makes the calls that have waited long enough, without their pictures.
    mutating func endPictureTimeout(now: Timestamp) -> [Effect] {
        var next: Duration?
        for index in calls.indices {
            guard case .awaited(let url, let since) = calls[index].picture else { continue }
            let left = Self.pictureTimeout - since.duration(to: now)
            // The clock may have been set back.
            if left > .zero, left <= Self.pictureTimeout {
                next = min(next ?? left, left)
            } else {
                calls[index].picture = .missing(url)
            }
        }
        return next.map { [.wait(.picture, $0)] } ?? []
    }

    // MARK: Late pictures

    /// Adds a picture that arrived late to the popup that is shown now under this id, or records which picture it
    /// lacks.
    mutating func completePicture(of call: Call, id: UInt32) {
        guard features.quirks.replacesInPlace, let open = shown[id], open.standing == .open else { return }
        switch call.picture {
        case .none, .awaited: break
        case .missing(let url): shown.setMissingPicture(MissingPicture(url: url, popup: call.kept.popup), of: id)
        case .late(let file): add(picture: file, to: SavedPopup(open: open, popup: call.kept.popup), id: id)
        }
    }

    private mutating func add(picture file: String, to kept: SavedPopup, id: UInt32) {
        var kept = kept
        kept.popup.picture = file
        update(kept, id: id)
    }
}
