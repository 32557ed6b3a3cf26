import GTK
import Window

/// The buttons of a notification's links, which show those of one notification after another.
final class LinkButtons {
    let box: Box
    var pressed: (RowContent.Link) -> Void = { _ in }
    private var buttons: [Button] = []
    private var shown: [RowContent.Link] = []

    init(in box: Box) { self.box = box }

    func show(_ links: [RowContent.Link]) {
        guard links != shown else { return }
        shown = links
        while buttons.count > links.count { box.remove(buttons.removeLast()) }
        while buttons.count < links.count { addButton() }
        for (button, link) in zip(buttons, links) {
            button.setLabel(link.label)
            button.set(style: "primary", link.isPrimary)
        }
        box.isVisible = !links.isEmpty
    }

    private func addButton() {
        let (button, index) = (Button(shrinkingLabel: ""), buttons.count)
        button.onTooltip { [unowned self] in shown[index].url }
        button.on("clicked") { [unowned self] in pressed(shown[index]) }
        box.append(button)
        buttons.append(button)
    }
}
