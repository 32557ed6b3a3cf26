#ifndef FEEDBELL_LONG_KEYS_H
#define FEEDBELL_LONG_KEYS_H

#include <cstdint>
#include <string_view>

/// Finds keys with too many parts. toml++ creates a table for each part of a dotted key and visits tables recursively,
/// but limits only the nesting of values: a key with some hundred thousand parts would overflow the stack.
namespace long_keys {

constexpr int most_parts = 32;

/// The position after the string that starts at `start`. An unterminated string ends with the line or the text.
inline size_t end_of_string(std::string_view text, size_t start, uint32_t &line) {
    const char quote = text[start];
    const bool is_multi_line = text.substr(start, 3) == std::string_view(quote == '"' ? "\"\"\"" : "'''");
    size_t at = start + (is_multi_line ? 3 : 1);
    while (at < text.size()) {
        const char character = text[at];
        if (character == '\n') {
            if (!is_multi_line) return at;
            ++line;
        } else if (character == '\\' && quote == '"') {
            // An escaped line end is counted as a line end.
            if (at + 1 < text.size() && text[at + 1] != '\n') ++at;
        } else if (character == quote) {
            if (!is_multi_line) return at + 1;
            size_t count = 1;
            while (count < 5 && at + count < text.size() && text[at + count] == quote) ++count;
            // Up to two quotation marks before the last three belong to the string.
            at += count;
            if (count >= 3) return at;
            continue;
        }
        ++at;
    }
    return at;
}

/// The first line, counted from 1, with a key of too many parts; 0 if there is none.
inline uint32_t first_line(std::string_view text) {
    uint32_t line = 1;
    int dots = 0;
    for (size_t at = 0; at < text.size();) {
        switch (text[at]) {
            case '"':
            case '\'': at = end_of_string(text, at, line); continue;
            case '#':
                while (at < text.size() && text[at] != '\n') ++at;
                continue;
            case '.':
                if (++dots >= most_parts) return line;
                break;
            case '\n': ++line; [[fallthrough]];
            case '=':
            case ',':
            case '[':
            case ']':
            case '{':
            case '}': dots = 0; break;
            default: break;
        }
        ++at;
    }
    return 0;
}

}  // namespace long_keys

#endif
