import CAdwaita

// A horizontal box of GTK asks each child for its width at the height of the box. A label of several lines lays out its
// text at twenty widths to find it, in each place of a tree: most of the time of a window with long texts. And where
// there is less height than the text needs, it wants more width than there is. A grid asks for heights at a width only.

extension Widget {
    /// Lays out the children that a box has now as the columns of a grid, or as its rows.
    func useGrid(_ orientation: GtkOrientation) {
        let isHorizontal = orientation == GTK_ORIENTATION_HORIZONTAL
        let setPlace = isHorizontal ? gtk_grid_layout_child_set_column : gtk_grid_layout_child_set_row
        let grid = Object(owning: UnsafeMutableRawPointer(gtk_grid_layout_new()))
        // The widget takes the reference; the object releases its own.
        let manager = g_object_ref(grid.pointer)?.assumingMemoryBound(to: GtkLayoutManager.self)
        gtk_widget_set_layout_manager(c(), manager)
        for (number, child) in children.enumerated() {
            let place = gtk_layout_manager_get_layout_child(grid.c(), child.c())
            setPlace(place.map { OpaquePointer($0) }, gint(number))
            // Otherwise a row that is higher than its columns has them at its top.
            if isHorizontal { gtk_widget_set_vexpand(child.c(), 1) }
        }
        // The widget itself does not want more height.
        if isHorizontal { gtk_widget_set_vexpand(c(), 0) }
    }

    package var children: [Widget] {
        var (children, next) = ([Widget](), gtk_widget_get_first_child(c()))
        while let child = next {
            children.append(Widget(sharing: UnsafeMutableRawPointer(child)))
            next = gtk_widget_get_next_sibling(child)
        }
        return children
    }

    /// Shrinks what is beside the title of a header bar before the title, as libadwaita before 1.4 does.
    package func shrinkTitleLast() { first(of: gtk_center_box_get_type())?.setIfKnown("shrink-center-last", true) }

    /// The first widget of a type below this one.
    func first<Wanted: Widget>(_ wanted: Wanted.Type) -> Wanted? {
        first(of: Wanted.type).map { Wanted(sharing: $0.pointer) }
    }

    func first(of type: GType) -> Widget? {
        for child in children {
            if child.isA(type) { return child }
            if let found = child.first(of: type) { return found }
        }
        return nil
    }

    /// Lets screen readers say nothing of the lists and the pages of stacks in it. GTK 4.8 names those without a label
    /// by their class.
    func silenceContainers() {
        for child in children {
            child.silenceContainers()
            if child.isA(gtk_list_box_get_type()) { child.setOnlyLabel("") }
            guard isA(Stack.type), let page = gtk_stack_get_page(c(), child.c()) else { continue }
            Self.setAccessible(page, GTK_ACCESSIBLE_PROPERTY_LABEL, "")
        }
    }

    func isA(_ type: GType) -> Bool {
        g_type_check_instance_is_a(pointer.assumingMemoryBound(to: GTypeInstance.self), type) != 0
    }

    /// Lays out the texts of a row or a group of libadwaita, which are in a horizontal box, and in a vertical box in
    /// that one.
    func useGridsForTexts() {
        guard let header = box(styled: "header"),
            let texts = header.box(styled: "title") ?? header.box(styled: "labels")
        else { return }
        header.useGrid(GTK_ORIENTATION_HORIZONTAL)
        texts.useGrid(GTK_ORIENTATION_VERTICAL)
        for label in texts.children where label.isA(Label.type) {
            gtk_widget_set_hexpand(label.c(), 1)
            // Without a smallest width, it breaks the text at each character to find one.
            gtk_label_set_width_chars(label.c(), 12)
        }
    }

    /// Lays out one child in the whole widget, and asks it for its width at no height.
    func useWidthFirst() {
        let mode: GtkCustomRequestModeFunc = { _ in GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH }
        let measure: GtkCustomMeasureFunc = { widget, orientation, size, minimum, natural, baseline, naturalBaseline in
            guard let child = gtk_widget_get_first_child(widget) else { return }
            let known = orientation == GTK_ORIENTATION_HORIZONTAL ? -1 : size
            gtk_widget_measure(child, orientation, known, minimum, natural, baseline, naturalBaseline)
        }
        let allocate: GtkCustomAllocateFunc = { widget, width, height, baseline in
            guard let child = gtk_widget_get_first_child(widget) else { return }
            gtk_widget_allocate(child, width, height, baseline, nil)
        }
        gtk_widget_set_layout_manager(c(), gtk_custom_layout_new(mode, measure, allocate))
    }

    /// The first box below this widget that has this class of the style sheet.
    private func box(styled name: String) -> Widget? {
        for child in children {
            if child.isA(Box.type), gtk_widget_has_css_class(child.c(), name) != 0 { return child }
            if let found = child.box(styled: name) { return found }
        }
        return nil
    }
}
