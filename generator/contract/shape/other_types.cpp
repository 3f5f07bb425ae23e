#include "contract/shape/other_types.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace svc::contract {
namespace {

struct Known {
    std::string_view theirs;  // lower case, without a part in parentheses
    std::string_view ours;
    std::string_view more = {};    // said besides
    std::string_view number = {};  // the option that the number in parentheses is
};

constexpr std::string_view kIds = ", or remove it: every row has an id";

constexpr Known kTypes[] = {
    {"int", "integer"},
    {"int2", "integer"},
    {"int4", "integer"},
    {"int8", "integer"},
    {"int32", "integer"},
    {"int64", "integer"},
    {"bigint", "integer"},
    {"smallint", "integer"},
    {"tinyint", "integer"},
    {"long", "integer"},
    {"serial", "integer", kIds},
    {"bigserial", "integer", kIds},
    {"varchar", "string", "", "max"},
    {"character varying", "string", "", "max"},
    {"nvarchar", "string", "", "max"},
    {"char", "string", "", "max"},
    {"character", "string", "", "max"},
    {"str", "string"},
    {"citext", "text"},
    {"longtext", "text"},
    {"mediumtext", "text"},
    {"clob", "text"},
    {"markdown", "text"},
    {"html", "text"},
    {"bool", "boolean"},
    {"bit", "boolean"},
    {"double", "float"},
    {"double precision", "float"},
    {"real", "float"},
    {"float4", "float"},
    {"float8", "float"},
    {"numeric", "decimal"},
    {"bigdecimal", "decimal"},
    {"currency", "money"},
    {"price", "money"},
    {"timestamp", "datetime"},
    {"timestamptz", "datetime"},
    {"timestamp with time zone", "datetime"},
    {"timestamp without time zone", "datetime"},
    {"timetz", "time"},
    {"interval", "integer", " for a number of minutes or days"},
    {"jsonb", "json"},
    {"object", "json"},
    {"map", "json"},
    {"array", "tags"},
    {"text[]", "tags"},
    {"varchar[]", "tags"},
    {"string[]", "tags"},
    {"list", "tags"},
    {"guid", "uuid"},
    {"uri", "url"},
    {"link", "url"},
    {"tel", "phone"},
    {"telephone", "phone"},
    {"mail", "email"},
    {"select", "enum", ", with \"values\""},
    {"reference", "ref", ", with \"to\""},
    {"relation", "ref", ", with \"to\""},
    {"foreign", "ref", ", with \"to\""},
    {"foreign key", "ref", ", with \"to\""},
    {"belongsto", "ref", ", with \"to\""},
    {"account", "user"},
    {"blob", "file"},
    {"bytea", "file"},
    {"binary", "file"},
    {"image", "file"},
    {"autoincrement", "sequence"},
};

// "300" of "varchar(300)", and the 2 of "numeric(12, 2)".
std::string digits(const std::string& inside, bool last) {
    const auto comma = inside.find(',');
    if (last && comma == std::string::npos) return {};
    std::string text = last ? inside.substr(comma + 1) : inside;
    std::erase(text, ' ');
    const bool number =
        !text.empty() && text.size() <= 8 && std::ranges::all_of(text, base::is_digit);
    return number ? text : std::string();
}

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

}  // namespace

std::string instead_of_type(std::string_view type) {
    std::string name = base::lower(type), inside;
    const auto open = name.find('(');
    if (open != std::string::npos && name.ends_with(')')) {
        inside = name.substr(open + 1, name.size() - open - 2);
        name.erase(open);
    }
    while (name.ends_with(' ')) name.pop_back();
    // A type of the contract, except for its length: "string(80)", "decimal(12,2)".
    if (!inside.empty() && (name == "string" || name == "text")) name = "varchar";
    if (!inside.empty() && name == "decimal") name = "numeric";
    const auto known = std::ranges::find(kTypes, name, &Known::theirs);
    if (known == std::end(kTypes)) return {};
    std::string out = "write \"type\": " + quoted(known->ours);
    const bool scale = known->ours == "decimal";
    const std::string number = digits(inside, scale);
    const std::string_view option = scale ? "scale" : known->number;
    if (!number.empty() && !option.empty()) out += ", " + quoted(option) + ": " + number;
    return out + std::string(known->more);
}

}  // namespace svc::contract
