// The helper pointer, and what it finds; popups wait until the user does something.
const {Clutter, GLib, St} = imports.gi;
const now = () => GLib.get_monotonic_time();
const menu = Main.panel.statusArea.dateMenu;
const all = () => Main.messageTray.getSources().flatMap(source => source.notifications);
global.popupTest = globalThis.popupTest = {
    // Since GNOME 51 the backend belongs to the context.
    pointer: (Clutter.get_default_backend?.() ?? global.stage.get_context().get_backend()).get_default_seat()
        .create_virtual_device(Clutter.InputDeviceType.POINTER_DEVICE),
    count() { return all().length; },
    shows(title) { // whether the list has an entry with this title that is drawn
        menu.menu.open(false);
        const messages = actor => actor.notification ? [actor] : actor.get_children().flatMap(messages);
        return messages(menu._messageList).some(message => message.notification.title === title && message.mapped &&
            message.get_transformed_size().every(length => length > 10));
    },
    texts(actor) {
        return [actor.text, ...actor.get_children().flatMap(child => this.texts(child))].filter(text => text);
    },
    banner() { return Main.messageTray._banner ? 1 : 0; },
    message(actor) { // the first one of the list
        if (actor.notification && actor.mapped) return actor;
        return actor.get_children().reduce((found, child) => found ?? this.message(child), undefined);
    },
    part(name) {
        if (name === 'history') {
            menu.menu.open(false);
            return this.message(menu._messageList);
        }
        // The list, if the banner is gone already.
        const banner = Main.messageTray._banner ?? this.part('history');
        if (name === 'close') return banner._closeButton ?? banner._header.closeButton;
        if (name.startsWith('button')) return banner._buttonBox.get_child_at_index(Number(name.slice(6)));
        return banner._titleLabel ?? banner.titleLabel ?? banner;
    },
    move(name) {
        const actor = this.part(name), [x, y] = actor.get_transformed_position();
        const [width, height] = actor.get_transformed_size();
        this.pointer.notify_absolute_motion(now(), x + width / 2, y + height / 2);
        return `${x} ${y} ${width} ${height}`;
    },
    click(button) {
        this.pointer.notify_button(now(), button, 1);
        GLib.timeout_add(0, 60, () => { this.pointer.notify_button(now(), button, 0); return false; });
        return button;
    },
    leave() { this.pointer.notify_absolute_motion(now(), 5, 700); menu.menu.close(); return 1; },
};
Main.overview.hide();
popupTest.leave()
