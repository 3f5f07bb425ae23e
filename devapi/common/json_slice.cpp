#include "common/json_slice.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_slice.hpp"
#include "base/json_text.hpp"

namespace svc::devapi {
namespace {

// A part of an object or array, between the commas around it: a member with its name, or an
// element.
struct Part {
    std::size_t begin = 0, end = 0;  // without the blanks around it
    std::string_view name, value;    // name as written; empty in arrays
};

std::vector<Part> parts_of(std::string_view text, char opening) {
    std::vector<Part> out;
    std::string_view rest = text;
    if (!base::take(rest, opening) || base::take(rest, opening == '{' ? '}' : ']')) return out;
    const auto place = [&](std::string_view slice) {
        return static_cast<std::size_t>(slice.data() - text.data());
    };
    do {
        Part part;
        if (opening == '{') {
            part.name = base::take_value(rest);
            base::take(rest, ':');
        }
        part.value = base::take_value(rest);
        part.begin = place(part.name.empty() ? part.value : part.name);
        part.end = place(part.value) + part.value.size();
        out.push_back(part);
    } while (base::take(rest, ','));
    return out;
}

std::string decoded(std::string_view name) {
    return nlohmann::json::parse(name).get<std::string>();
}

// The blanks that stand before it.
std::string_view blanks_before(std::string_view text, std::size_t at) {
    std::size_t begin = at;
    while (begin > 0 && base::kJsonSpace.find(text[begin - 1]) != text.npos) --begin;
    return text.substr(begin, at - begin);
}

std::string added(std::string_view text, const std::vector<Part>& parts, std::string_view part) {
    std::string out(text);
    if (parts.empty()) {
        const std::size_t opening = text.find_first_of("{[");
        const std::size_t closing = text.find_last_of("}]");
        return out.replace(opening + 1, closing - opening - 1, part);
    }
    std::string blanks(blanks_before(text, parts.back().begin));
    if (blanks.find('\n') == std::string::npos) blanks = " ";
    return out.insert(parts.back().end, "," + blanks + std::string(part));
}

std::string removed(std::string_view text, const std::vector<Part>& parts, std::size_t index) {
    std::string out(text);
    if (parts.size() == 1) {
        const std::size_t opening = text.find_first_of("{[");
        const std::size_t closing = text.find_last_of("}]");
        return out.erase(opening + 1, closing - opening - 1);
    }
    if (index == 0) return out.erase(parts[0].begin, parts[1].begin - parts[0].begin);
    return out.erase(parts[index - 1].end, parts[index].end - parts[index - 1].end);
}

}  // namespace

std::vector<JsonMember> json_members(std::string_view text) {
    std::vector<JsonMember> out;
    for (const Part& part : parts_of(text, '{')) {
        std::string name = decoded(part.name);
        const auto twin = std::find_if(
            out.begin(), out.end(), [&](const JsonMember& member) { return member.first == name; });
        if (twin != out.end()) out.erase(twin);
        out.emplace_back(std::move(name), part.value);
    }
    return out;
}

std::optional<std::string_view> json_member(std::string_view text, std::string_view name) {
    for (const auto& [member, value] : json_members(text))
        if (member == name) return value;
    return std::nullopt;
}

std::vector<std::string_view> json_elements(std::string_view text) {
    std::vector<std::string_view> out;
    for (const Part& part : parts_of(text, '[')) out.push_back(part.value);
    return out;
}

bool json_deeper_than(std::string_view text, int levels) {
    int level = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c == '\\') ++i;
            quoted = c != '"';
        } else if (c == '"') {
            quoted = true;
        } else if ((c == '[' || c == '{') && ++level > levels) {
            return true;
        } else if (c == ']' || c == '}') {
            --level;
        }
    }
    return false;
}

std::string with_member(std::string_view text, std::string_view name, std::string_view value) {
    if (const auto old = json_member(text, name)) {
        std::string out(text);
        return out.replace(static_cast<std::size_t>(old->data() - text.data()), old->size(), value);
    }
    return added(text, parts_of(text, '{'), base::json_string(name) + ": " + std::string(value));
}

std::string without_member(std::string_view text, std::string_view name) {
    std::string out(text);
    for (bool again = true; again;) {
        again = false;
        const auto parts = parts_of(out, '{');
        for (std::size_t i = 0; i < parts.size() && !again; ++i) {
            if (decoded(parts[i].name) != name) continue;
            out = removed(out, parts, i);
            again = true;  // a name may stand twice
        }
    }
    return out;
}

std::string with_renamed_member(std::string_view text, std::string_view name,
                                std::string_view new_name) {
    std::string out(text);
    const auto parts = parts_of(text, '{');
    for (auto part = parts.rbegin(); part != parts.rend(); ++part)
        if (decoded(part->name) == name)
            out.replace(part->begin, part->name.size(), base::json_string(new_name));
    return out;
}

std::string with_element(std::string_view text, std::size_t index, std::string_view value) {
    const Part part = parts_of(text, '[').at(index);
    return std::string(text).replace(part.begin, part.end - part.begin, value);
}

std::string with_appended(std::string_view text, std::string_view value) {
    return added(text, parts_of(text, '['), value);
}

std::string without_element(std::string_view text, std::size_t index) {
    return removed(text, parts_of(text, '['), index);
}

}  // namespace svc::devapi
