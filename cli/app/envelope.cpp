#include "cli/app/envelope.hpp"

#include "cli/context.hpp"
#include "cli/terminal.hpp"

namespace svc::cli {

using json = nlohmann::json;

std::string cell_of(const json& value) {
    if (value.is_null()) return "";
    return printable(value.is_string() ? value.get<std::string>() : value.dump());
}

Table table_of_rows(const json& envelope) {
    Table table;
    const json rows = envelope.value("rows", json::array());
    for (const json& field : envelope.value("fields", json::array())) {
        table.head.push_back(text_of(field, "name"));
        table.right.push_back(!rows.empty());
    }
    for (const json& row : rows) {
        auto& cells = table.rows.emplace_back();
        for (std::size_t column = 0; column < table.head.size(); ++column) {
            const json value = row.value(table.head[column], json());
            if (!value.is_number() && !value.is_null()) table.right[column] = false;
            cells.push_back(cell_of(value));
        }
    }
    return table;
}

void print_rows(const json& envelope, const char* more) {
    const Table table = table_of_rows(envelope);
    print(layout(table, terminal_width()));
    const std::size_t count =
        table.head.empty() ? envelope.value("rowCount", std::size_t{0}) : table.rows.size();
    print(std::to_string(count) + (count == 1 ? " row" : " rows") +
          (envelope.value("truncated", false) ? std::string(", and there are more") + more : "") +
          "\n");
}

}  // namespace svc::cli
