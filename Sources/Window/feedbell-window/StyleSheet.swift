/// The styles that the theme lacks: of notification rows, tabs and the lines above the list.
///
/// `line` is for boxes with several texts or icons beside each other: GTK 4.8 measures two heights that differ by a
/// pixel, unless the box is higher.
nonisolated enum StyleSheet {
    static let text = """
        listview.inbox { background: none; }
        listview.inbox > row { padding: 0; margin: 2px 6px; }
        listview.inbox > row, listview.inbox > row:hover, listview.inbox > row:selected {
          background: none; outline: none; }
        .notification { border-radius: 12px; }
        row:selected .notification { background: alpha(currentColor, 0.1); }
        row:hover .notification { background: alpha(currentColor, 0.07); }
        row:selected:hover .notification { background: alpha(currentColor, 0.13); }
        row:focus-visible .notification { outline: 2px solid alpha(@accent_color, 0.5); outline-offset: -2px; }
        .day { padding: 14px 12px 4px; }
        listview.inbox > row:last-child { margin-bottom: 140px; }
        .notification { padding: 8px 8px 8px 12px; }
        .notification.unread .headline { font-weight: bold; }
        .notification .dot { min-width: 8px; min-height: 8px; border-radius: 4px; margin-top: 14px; }
        .notification.unread .dot { background: @accent_bg_color; }
        .notification link, .notification link:visited { color: mix(@accent_color, @window_fg_color, 0.5); }
        .notification .facts link, .notification .facts link:visited { color: inherit; text-decoration: none; }
        .notification .facts link:hover { text-decoration: underline; }
        .notification .row-menu { opacity: 0; min-width: 28px; min-height: 28px; padding: 0; }
        row:hover .row-menu, row:focus .row-menu, row:focus-within .row-menu { opacity: 1; }
        .notification .links button { padding: 2px 12px; min-height: 26px; }
        row:hover .links .primary, row:focus .links .primary, row:focus-within .links .primary {
          background-color: @accent_bg_color; color: @accent_fg_color; }
        .count { font-size: smaller; font-weight: bold; padding: 0 6px; min-height: 18px; border-radius: 9px;
          background: alpha(currentColor, 0.12); }
        headerbar menubutton.flat > button { padding: 5px 6px; }
        .touch .links button, .touch .notification .more, .touch .tabs button { min-height: 40px; }
        .touch .notification .row-menu { min-width: 40px; min-height: 40px; opacity: 1; }
        .notification .more { padding: 2px 6px; margin: 0 0 0 -6px; min-height: 0; }
        .line { min-height: 1.6em; }
        .tabs button { border-radius: 99px; font-weight: normal; padding: 2px 14px; min-height: 28px; }
        .banner { padding: 6px 12px; background: alpha(currentColor, 0.08); }
        .banner.urgent { background: alpha(@warning_color, 0.25); }
        .new-above { margin: 8px; }
        toast { border-radius: 24px; }
        toast button.text-button { padding-left: 10px; padding-right: 10px; }
        viewswitcher button label { margin: 0 6px; }
        row.field > box { min-height: 50px; margin: 0 12px; }
        row.field entry { min-height: 22px; padding: 0; background: none; box-shadow: none; outline: none; }
        row.field:focus-within { outline: 2px solid alpha(@accent_color, 0.5); outline-offset: -2px; }
        """
}
