#include "data/list/cursor.hpp"

#include <charconv>

#include "base/base64url.hpp"

namespace svc::data::list {

namespace {

// "3:abc", so that no two lists of texts look the same.
void append_part(std::string& out, std::string_view text) {
    out.append(std::to_string(text.size())).append(":").append(text);
}

std::optional<std::string> next_part(std::string_view& text) {
    std::size_t size = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    const auto at = static_cast<std::size_t>(end - text.data());
    if (error != std::errc{} || at == text.size() || text.size() - at - 1 < size) return {};
    std::string part(text.substr(at + 1, size));
    text.remove_prefix(at + 1 + size);
    return part;
}

std::string packed(const Cursors::Position& position) {
    std::string out;
    for (const auto& value : position) {
        if (value) {
            append_part(out, *value);
        } else {
            out += '-';
        }
    }
    return out;
}

Cursors::Position unpacked(std::string_view text) {
    Cursors::Position position;
    while (!text.empty()) {
        if (text.front() == '-') {
            text.remove_prefix(1);
            position.emplace_back();
        } else if (auto part = next_part(text)) {
            position.push_back(std::move(part));
        } else {
            break;
        }
    }
    return position;
}

}  // namespace

std::string Cursors::signed_text(const std::string& list, std::string_view position) const {
    std::string text;
    append_part(text, caller_.user ? caller_.user->id : "");
    append_part(text, caller_.names);
    append_part(text, caller_.claims);
    append_part(text, list);
    return text.append(position);
}

std::string Cursors::make(const std::string& list, const Position& position) const {
    const std::string packed_place = packed(position);
    return base::base64url(signer_.sign(signed_text(list, packed_place)) + packed_place);
}

Result<Cursors::Position> Cursors::read(const std::string& list, std::string_view cursor) const {
    const std::string bytes = base::base64url_decoded(cursor).value_or("");
    const std::string_view all = bytes;
    const std::string_view signature = all.substr(0, identity::Signer::kBytes);
    const std::string_view position = all.substr(signature.size());
    if (signer_.holds(signed_text(list, position), signature)) return unpacked(position);
    return bad_params(
        "This cursor belongs to another list: the table, filter, sort or caller is different. "
        "Start again with an empty cursor.");
}

}  // namespace svc::data::list
