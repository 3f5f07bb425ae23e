// Texts that try to break out of what the generator writes them into.
#pragma once

#include <string>
#include <vector>

namespace svc::test {

inline std::vector<std::string> hostile_texts() {
    using namespace std::string_literals;
    return {
        "\"; drop table product; --",
        "'; drop table product; --",
        "') or true or ('",
        "*/ #error broken out /*",
        "// #error\n#error broken out",
        ")sql\" #error broken out",
        ")\" #error",
        "ends in a backslash\\",
        "\\\" #error",
        "?\?/",
        "null \0 in the middle"s,
        "</script><script>alert(1)</script>",
        "<!-- {/* `${process.exit()}` */} -->",
        "\xe2\x80\xa8 line separator \xe2\x80\xa9",
        "{{name}} {{{name}}} {{#entities}}",
        "{",
        "}",
        "{new.id} {user.email} {drop}",
        "$svc$ $svc1$ $$ $1 :data_role",
        "%s%n%d",
        "../../../../etc/passwd",
        "secret:../../x",
        "\xff\xfe not UTF-8",
        "\xf0\x9f\x92\xa9 \xd8\xa7\xd9\x84 \x1b[31m \x7f\t",
        "E'\\x27' U&'\\0027'",
        "@" + std::string(300, 'k'),
    };
}

}  // namespace svc::test
