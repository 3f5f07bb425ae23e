// Rows in columns, as wide as the terminal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace svc::cli {

struct Table {
    std::vector<std::string> head;
    std::vector<std::vector<std::string>> rows;  // each as long as head; printable text
    std::vector<bool> right;                     // columns of numbers; may be shorter than head
};

// The widest columns are cut first. Where even cut columns do not fit, each row is shown as a block
// of "name  value" lines. `width` 0: nothing is cut.
std::string layout(const Table& table, std::size_t width);

}  // namespace svc::cli
