// Files of rows: their addresses, their names, and why one was refused.
#pragma once

#include "page/visit.hpp"

namespace svc::page {

// The address at which a browser reads the file in this column of a row; empty: none. Guests get a
// ticket for an hour, everybody else uses their session.
std::string file_address(const Visit& visit, std::string_view column, const Json& row);

struct ShownFile {
    std::string address;
    std::optional<StoredFile> stored;  // nothing: it cannot be read
};
Task<ShownFile> read_file(Visit& visit, std::string address);
// Writes a link with the file's name and size, or a picture as an image. Nothing if there is no
// file.
void show_file(Html& out, const ShownFile& file);

// An input for a file, as browsers limit it: "image/*,application/pdf"; empty: every kind.
std::string accepted_files(const App& app);
// "At most 25 MB."
std::string file_hint(const App& app);
// Why the direct upload refused the file, in words for people.
std::string upload_problem(const Visit& visit, const Answer& answer);
// 2.3 MB
std::string size_words(std::uint64_t bytes);

}  // namespace svc::page
