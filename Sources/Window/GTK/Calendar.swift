import CAdwaita

/// The days of a month, of which one is chosen.
package final class Calendar: Widget {
    override class var type: GType { gtk_calendar_get_type() }

    private var isSetting = false

    /// - Parameter buttons: What the buttons are for, which have only arrows: the month before and after, and the year.
    package convenience init(buttons: [String]) {
        self.init(owning: UnsafeMutableRawPointer(gtk_calendar_new()))
        let arrows = children.flatMap(\.children).filter { $0.isA(Button.type) }
        for (arrow, label) in zip(arrows, buttons) { arrow.setOnlyLabel(label) }
    }

    package var day: (year: Int, month: Int, day: Int) {
        get {
            var (year, month, day): (gint, gint, gint) = (0, 0, 0)
            let date = gtk_calendar_get_date(c())
            g_date_time_get_ymd(date, &year, &month, &day)
            g_date_time_unref(date)
            return (Int(year), Int(month), Int(day))
        }
        set {
            guard newValue != day else { return }
            let date = g_date_time_new_local(gint(newValue.year), gint(newValue.month), gint(newValue.day), 0, 0, 0)
            guard let date else { return }
            isSetting = true
            gtk_calendar_select_day(c(), date)
            isSetting = false
            g_date_time_unref(date)
        }
    }

    /// Calls `body` when the user has chosen a day.
    package func onDay(_ body: @escaping () -> Void) {
        on("day-selected") { [unowned self] in if !isSetting { body() } }
    }
}
