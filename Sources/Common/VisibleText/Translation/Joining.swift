/// Words in one line, separated as in the user's language: `online since 09:12, 3 unread`.
package func translatedList(_ words: [String]) -> String {
    // Translators: Between the words of a list, as in "online since 09:12, 3 unread".
    words.joined(separator: translated(", "))
}

/// Sentences in one paragraph, as in the user's language: not all have a space between them.
package func translatedParagraph(_ sentences: [String?]) -> String {
    let sentences = sentences.compactMap(\.self)
    return sentences.dropFirst().reduce(sentences.first ?? "") { paragraph, sentence in
        // Translators: Two sentences. Without the space in languages that have none there.
        translated("{sentence} {next}", ["sentence": paragraph, "next": sentence])
    }
}
