import GTK
import VisibleText

extension FormWindow {
    /// Asks before what is typed is lost, and calls `discard` if the user wants that.
    ///
    /// - Returns: false: until then the window stays.
    func asksToDiscard(_ discard: @escaping () -> Void) -> Bool {
        window.ask(
            translated("Discard Changes?"),
            text: translated("What you have typed is not saved."),
            yes: translated("Discard"),
            no: translated("Cancel"),
            destroys: true
        ) { if $0 { discard() } }
        return false
    }
}
