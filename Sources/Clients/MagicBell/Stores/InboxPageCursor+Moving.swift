/// The numbers of pages change with their size, and when rows of earlier pages go. A number that is too small repeats
/// rows, which are recognized by their ids; one that is too great would leave some out.
extension InboxPageCursor {
    /// The cursor after `rows` of the loaded rows have gone: the service's pages moved by as many.
    package func movedBack(rows: Int, pageSize: Int) -> InboxPageCursor {
        guard case .page(let page) = self, rows > 0 else { return self }
        return .page(max(1, page - (rows + pageSize - 1) / pageSize))
    }

    /// The cursor of the page with the same first row, or one before, for another size.
    func converted(from size: Int, to other: Int) -> InboxPageCursor {
        guard case .page(let page) = self, size != other, page > 0, page < Int.max / size else { return self }
        return .page((page - 1) * size / other + 1)
    }
}
