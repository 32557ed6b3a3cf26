import CAdwaita

extension Widget {
    /// Lays out the children of a box in lines, as the words of a text: a child that does not fit begins the next line.
    ///
    /// A child that expands needs only its smallest width, and gets the rest of its line.
    package func useLines() {
        let mode: GtkCustomRequestModeFunc = { _ in GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH }
        let measure: GtkCustomMeasureFunc = { widget, orientation, size, minimum, natural, _, _ in
            let lines = ChildLines(of: widget)
            if orientation == GTK_ORIENTATION_HORIZONTAL {
                minimum?.pointee = lines.minimumWidth
                natural?.pointee = lines.naturalWidth
            } else {
                let height = lines.height(width: size < 0 ? lines.naturalWidth : size)
                minimum?.pointee = height
                natural?.pointee = height
            }
        }
        let allocate: GtkCustomAllocateFunc = { widget, width, _, _ in ChildLines(of: widget).allocate(width: width) }
        gtk_widget_set_layout_manager(c(), gtk_custom_layout_new(mode, measure, allocate))
    }
}

/// The shown children of a widget, in lines.
private nonisolated struct ChildLines {
    private struct Child {
        let widget: UnsafeMutablePointer<GtkWidget>
        let minimum: Int32
        let natural: Int32
        let expands: Bool
    }

    /// Above the baseline of the first line, and below.
    private typealias Heights = (above: Int32, below: Int32)

    /// A child with its width.
    private struct Place {
        let child: Child
        var width: Int32
        var heights: Heights = (0, 0)

        mutating func measureHeights() {
            var (height, baseline): (Int32, Int32) = (0, -1)
            gtk_widget_measure(child.widget, GTK_ORIENTATION_VERTICAL, width, nil, &height, nil, &baseline)
            // What has no text stands on the baseline.
            heights = baseline < 0 ? (height, 0) : (baseline, height - baseline)
        }
    }

    private static let (columnSpacing, rowSpacing): (Int32, Int32) = (6, 4)

    private var children: [Child] = []
    private let isMirrored: Bool

    init(of widget: UnsafeMutablePointer<GtkWidget>?) {
        isMirrored = gtk_widget_get_direction(widget) == GTK_TEXT_DIR_RTL
        var next = gtk_widget_get_first_child(widget)
        while let child = next {
            next = gtk_widget_get_next_sibling(child)
            guard gtk_widget_should_layout(child) != 0 else { continue }
            var (minimum, natural): (Int32, Int32) = (0, 0)
            gtk_widget_measure(child, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, nil, nil)
            let expands = gtk_widget_get_hexpand(child) != 0
            children.append(Child(widget: child, minimum: minimum, natural: natural, expands: expands))
        }
    }

    private static func width(of widths: some Sequence<Int32>) -> Int32 {
        max(0, widths.reduce(-columnSpacing) { $0 + columnSpacing + $1 })
    }

    var minimumWidth: Int32 { children.map(\.minimum).max() ?? 0 }

    var naturalWidth: Int32 { Self.width(of: children.lazy.map(\.natural)) }

    private func lines(width: Int32) -> [[Place]] {
        var lines: [[Place]] = []
        for child in children {
            let place = Place(child: child, width: child.expands ? child.minimum : min(child.natural, width))
            if let last = lines.last, Self.width(of: (last + [place]).lazy.map(\.width)) <= width {
                lines[lines.count - 1].append(place)
            } else {
                lines.append([place])
            }
        }
        for (index, line) in lines.enumerated() {
            if let expanding = line.firstIndex(where: \.child.expands) {
                lines[index][expanding].width += max(0, width - Self.width(of: line.lazy.map(\.width)))
            }
            for place in line.indices { lines[index][place].measureHeights() }
        }
        return lines
    }

    private static func heights(of line: [Place]) -> Heights {
        line.map(\.heights).reduce((0, 0)) { (max($0.0, $1.above), max($0.1, $1.below)) }
    }

    func height(width: Int32) -> Int32 {
        let heights = lines(width: width).map { Self.heights(of: $0) }
        return max(0, heights.reduce(-Self.rowSpacing) { $0 + Self.rowSpacing + $1.above + $1.below })
    }

    func allocate(width: Int32) {
        var y: Int32 = 0
        for line in lines(width: width) {
            let whole = Self.heights(of: line)
            var x: Int32 = 0
            for place in line {
                let (above, below) = place.heights
                var bounds = GtkAllocation(
                    x: isMirrored ? width - x - place.width : x,
                    y: y + whole.above - above,
                    width: place.width,
                    height: above + below
                )
                gtk_widget_size_allocate(place.child.widget, &bounds, -1)
                x += place.width + Self.columnSpacing
            }
            y += whole.above + whole.below + Self.rowSpacing
        }
    }
}
