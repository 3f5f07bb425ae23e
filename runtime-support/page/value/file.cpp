#include "page/value/file.hpp"

#include "base/app_paths.hpp"
#include "base/percent.hpp"
#include "file/file_context.hpp"
#include "page/html/icons.hpp"

namespace svc::page {
namespace {

constexpr std::size_t kName = 120;  // characters of a file's name that are shown

bool is_picture(std::string_view type) { return type.starts_with("image/"); }

}  // namespace

std::string file_address(const Visit& visit, std::string_view column, const Json& row) {
    const std::string id = plain(row.find(column));
    if (id.empty()) return {};
    if (visit.signed_in())
        return std::string(base::kApiPath) + "/files/" + base::percent_encoded(id);
    return plain(row.find(std::string(column) + "_url"));
}

Task<ShownFile> read_file(Visit& visit, std::string address) {
    ShownFile out;
    out.address = std::move(address);
    if (!out.address.empty()) out.stored = co_await visit.api.file(out.address);
    co_return out;
}

void show_file(Html& out, const ShownFile& file) {
    if (file.address.empty()) {
        out << "<span class=\"none\">—</span>";
        return;
    }
    if (!file.stored) {
        out << "<span class=\"quiet\">This file cannot be read.</span>";
        return;
    }
    const std::string name = shortened(file.stored->name, kName);
    out << "<span class=\"file\">";
    if (is_picture(file.stored->type)) {
        out << "<a class=\"file-picture\"";
        out.href(file.address) << "><img";
        out.attribute("alt", name).attribute("src", file.address) << "></a>";
    } else {
        out.markup(icon("paperclip"));
    }
    out << "<span class=\"file-name\"><a";
    out.href(file.address) << "><bdi>" << name << "</bdi></a> <small>"
                           << size_words(file.stored->size) << "</small></span></span>";
}

std::string accepted_files(const App& app) {
    std::string out;
    for (const std::string_view type : app.files.mime) {
        if (!out.empty()) out += ',';
        out += type;
    }
    return out;
}

std::string file_hint(const App& app) {
    return "At most " + file::in_words(app.files.max_size) + ".";
}

std::string upload_problem(const Visit& visit, const Answer& answer) {
    const std::string code = answer.error("code");
    if (code == name(Code::too_large))
        return "This file is too large: at most " + file::in_words(visit.app().files.max_size) +
               ".";
    if (code == name(Code::mime_not_allowed))
        return "This field does not accept files of this type.";
    if (code == name(Code::invalid_size)) return "This file is empty.";
    if (code == name(Code::quota_exceeded))
        return "There is no room for more files. Delete some first.";
    if (code == name(Code::rate_limited))
        return "Too many files at once. Wait a minute, then try again.";
    if (answer.status == 401) return "Sign in first: files belong to an account.";
    return "The file could not be stored. Try again in a moment.";
}

std::string size_words(std::uint64_t bytes) {
    if (bytes < 1024) return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
    constexpr std::string_view kUnits[] = {" KB", " MB", " GB"};
    std::size_t unit = 0;
    std::uint64_t tenths = bytes * 10 / 1024;
    while (tenths >= 10240 && unit + 1 < std::size(kUnits)) {
        tenths /= 1024;
        ++unit;
    }
    std::string out = std::to_string(tenths / 10);
    if (tenths < 100 && tenths % 10 != 0) out += '.' + std::to_string(tenths % 10);
    return out.append(kUnits[unit]);
}

}  // namespace svc::page
