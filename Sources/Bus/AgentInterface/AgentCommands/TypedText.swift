extension String {
    /// Without white space at its ends, which is often pasted with a text.
    package var trimmed: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
