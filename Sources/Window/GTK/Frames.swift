import CAdwaita

extension Window {
    /// Calls `body` at the end of each frame.
    package func onFrame(_ body: @escaping () -> Void) {
        on("realize") { [unowned self] in
            guard let clock = gtk_widget_get_frame_clock(c()) else { return }
            Object(sharing: UnsafeMutableRawPointer(clock)).on("after-paint", body)
        }
    }
}
