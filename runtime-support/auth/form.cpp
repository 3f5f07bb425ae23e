#include "auth/form.hpp"

#include "base/ascii.hpp"

namespace svc::auth {

bool is_form(const http::Head& head) {
    constexpr std::string_view kForm = "application/x-www-form-urlencoded";
    const std::string_view type = head.header("content-type");
    return base::iequals(base::trim(type.substr(0, type.find(';'))), kForm);
}

identity::Result<Texts> read_form(std::string_view body,
                                  std::initializer_list<std::string_view> wanted) {
    Texts texts;
    for (const std::string_view name : wanted) {
        const http::QueryParam member = http::query_param(body, name);
        if (!member.found) continue;
        if (member.value.find('\0') != std::string::npos)
            return identity::refusal(Code::params_invalid,
                                     "A form may not contain the character U+0000.",
                                     std::string(name));
        texts.emplace(name, member.value);
    }
    return texts;
}

}  // namespace svc::auth
