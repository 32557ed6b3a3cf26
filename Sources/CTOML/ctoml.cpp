// The C face of toml++, which Swift cannot import: one function that parses and walks.
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "CTOML.h"

#include <cstring>
#include <string_view>

namespace {

struct Walk {
    ctoml_visitor visitor;
    void *context;

    void visit(std::string_view key, uint32_t line, const toml::node &node) const {
        ctoml_step step{};
        step.key = key.data() ? key.data() : "";
        step.key_length = key.size();
        step.line = line;
        if (const auto *table = node.as_table()) {
            step.kind = CTOML_TABLE;
            visitor(context, &step);
            visit(*table);
            end();
        } else if (const auto *array = node.as_array()) {
            step.kind = CTOML_ARRAY;
            visitor(context, &step);
            for (const auto &element : *array) visit({}, element.source().begin.line, element);
            end();
        } else {
            fill(step, node);
            visitor(context, &step);
        }
    }

    void visit(const toml::table &table) const {
        for (const auto &[key, node] : table) visit(key.str(), key.source().begin.line, node);
    }

private:
    void end() const {
        ctoml_step step{};
        step.kind = CTOML_END;
        step.key = "";
        visitor(context, &step);
    }

    static void fill(ctoml_step &step, const toml::node &node) {
        if (const auto *text = node.as_string()) {
            step.kind = CTOML_STRING;
            step.text = text->get().data();
            step.text_length = text->get().size();
        } else if (const auto *integer = node.as_integer()) {
            step.kind = CTOML_INTEGER;
            step.integer = integer->get();
        } else if (const auto *floating = node.as_floating_point()) {
            step.kind = CTOML_FLOAT;
            step.floating = floating->get();
        } else if (const auto *boolean = node.as_boolean()) {
            step.kind = CTOML_BOOLEAN;
            step.boolean = boolean->get();
        } else {
            step.kind = CTOML_DATE;
        }
    }
};

}  // namespace

bool ctoml_parse(const char *text, size_t length, ctoml_visitor visitor, void *context, ctoml_failure *failure) {
    const auto result = toml::parse(std::string_view(text, length));
    if (!result) {
        const auto &error = result.error();
        failure->line = error.source().begin.line;
        failure->column = error.source().begin.column;
        const auto description = error.description();
        const auto size = std::min(description.size(), sizeof failure->message - 1);
        std::memcpy(failure->message, description.data(), size);
        failure->message[size] = '\0';
        return false;
    }
    Walk{visitor, context}.visit(result.table());
    return true;
}
