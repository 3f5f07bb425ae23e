#include "json/escape.hpp"

namespace svc::json {

void append_timestamp(std::string& out, std::string_view text) {
    out += '"';
    if (text.size() >= 22 && text[10] == ' ' && text.ends_with("+00")) {
        out += text.substr(0, 10);
        out += 'T';
        out += text.substr(11, text.size() - 14);
        out += 'Z';
    } else if (text.size() >= 19 && text[10] == ' ' &&
               text.find_first_not_of("0123456789:.", 11) == std::string_view::npos) {
        out += text.substr(0, 10);
        out += 'T';
        out += text.substr(11);
    } else {
        out += text;
    }
    out += '"';
}

}  // namespace svc::json
