// Fields: which options belong to their types, and what these say.
#include <algorithm>
#include <set>

#include "model/names.hpp"
#include "model/parts.hpp"
#include "model/value_mend.hpp"
#include "model/values.hpp"

namespace svc::model {
namespace {

using contract::Value;

// The options that only some types have. All other options belong to every type.
bool fits(const std::string& option, FieldType type) {
    if (option == "min" || option == "max") return has_limits(type);
    if (option == "pattern") return is_text(type);
    if (option == "values" || option == "labels") return type == FieldType::enum_;
    if (option == "scale") return type == FieldType::decimal;
    if (option == "prefix") return type == FieldType::sequence;
    if (option == "to" || option == "onDelete") return type == FieldType::ref;
    if (option == "unique" || option == "index") {
        return type != FieldType::json && type != FieldType::tags;
    }
    if (option == "default") {
        return type != FieldType::sequence && type != FieldType::ref && type != FieldType::user &&
               type != FieldType::file;
    }
    if (option == "computed") {
        return type != FieldType::sequence && type != FieldType::ref && type != FieldType::user &&
               type != FieldType::file && type != FieldType::enum_ && type != FieldType::json;
    }
    return true;
}

void check_options(Work work, const contract::Field& in, FieldType type) {
    for (const std::string& option : in.given) {
        const std::string path = contract::child(in.path, option);
        if (!fits(option, type)) {
            work.findings.error(
                "BAD_OPTION", path,
                "\"" + option + "\" does not work on a field of type " + in.type.text + ".",
                "remove it");
        }
        const bool settled = option == "default" || option == "required" || option == "write" ||
                             option == "immutable";
        if (in.computed && settled) {
            work.findings.error("BAD_OPTION", path,
                                "\"" + option + "\" does not work on a computed field.",
                                "remove it");
        }
    }
}

void enum_values(Work work, const contract::Field& in, Field& out) {
    std::set<std::string> seen;
    for (const contract::Text& value : in.values.value_or(contract::Texts{})) {
        const bool again = !seen.insert(value.text).second;
        if (again || value.text.empty() || value.text.size() > 63) {
            work.findings.error("BAD_OPTION", value.path,
                                again ? "The value \"" + value.text + "\" is listed twice."
                                      : "A value must have 1 to 63 bytes.",
                                again ? "remove it" : "write a value of 1 to 63 bytes");
        }
        out.values.push_back(value.text);
    }
    if (out.type == FieldType::enum_ && out.values.empty()) {
        work.findings.missing("MISSING_KEY", contract::child(in.path, "values"), in.path,
                              "The enum \"" + out.name + "\" has no values.",
                              "add \"values\": [\"…\"]");
    }
}

// A label has the index of its value.
void enum_labels(Work work, const contract::Field& in, Field& out) {
    for (const std::string& value : out.values) out.labels.push_back(words(value));
    for (const auto& [value, label] : in.labels) {
        const auto at = std::find(out.values.begin(), out.values.end(), value);
        if (at == out.values.end()) {
            work.findings.error("UNKNOWN_VALUE", contract::name_of(label.path),
                                "\"" + out.name + "\" has no value \"" + value + "\".",
                                did_you_mean(value, out.values, "add it to \"values\""));
            continue;
        }
        out.labels[static_cast<std::size_t>(at - out.values.begin())] = label.text;
    }
}

void reference(Work work, const contract::Field& in, Field& out) {
    if (out.type != FieldType::ref) return;
    if (in.on_delete && in.on_delete->text == "cascade") out.on_delete = OnDelete::cascade;
    if (in.on_delete && in.on_delete->text == "null") {
        out.on_delete = OnDelete::null;
        if (out.required) {
            work.findings.error(
                "BAD_OPTION", in.on_delete->path,
                "\"" + out.name + "\" is required, so \"onDelete\" cannot set it to null.",
                "use restrict or cascade, or make the field optional");
        }
        if (out.immutable) {
            work.findings.error(
                "BAD_OPTION", in.on_delete->path,
                "\"" + out.name + "\" is immutable, so \"onDelete\" cannot set it to null.",
                "use restrict or cascade, or remove \"immutable\"");
        }
    }
    if (!in.to) {
        work.findings.missing("MISSING_KEY", contract::child(in.path, "to"), in.path,
                              "The ref \"" + out.name + "\" names no entity.",
                              "add \"to\": \"<entity>\"");
    } else if (const auto entity = resolve_entity(work, *in.to)) {
        out.ref_entity = *entity;
        return;
    }
    out.broken = true;
    work.findings.doubt(out.name);
    work.findings.doubt(without_id(out.name));
}

void default_value(Work work, const contract::Field& in, Field& out) {
    if (!in.default_value || in.default_value->is(Value::Kind::null)) return;
    if (!fits("default", out.type)) {  // reported already
        out.default_value.kind = Default::Kind::literal;
        return;
    }
    const Value& value = *in.default_value;
    const bool clock =
        value.is(Value::Kind::string) && (value.text == "now()" || value.text == "today()");
    const bool moment = out.type == FieldType::datetime;
    if (clock && value.text == "now()" && moment) {
        out.default_value.kind = Default::Kind::now;
        return;
    }
    if (clock && value.text == "today()" && out.type == FieldType::date) {
        out.default_value.kind = Default::Kind::today;
        return;
    }
    const Converted converted = pg_text(out, value);
    if (!converted.text) {
        const char* clock_of = moment ? "now()" : out.type == FieldType::date ? "today()" : nullptr;
        // Parameters have no clock.
        const bool may_be_clock = clock_of != nullptr && value.path.starts_with("/entities/") &&
                                  converted.problem.find(" like ") != std::string::npos;
        work.findings.error("BAD_DEFAULT", value.path,
                            "The default of \"" + out.name + "\" " + converted.problem + ".",
                            may_be_clock
                                ? std::string("write a value in this form, or \"") + clock_of +
                                      "\" for the time of the insert"
                                : value_mend(out, value, converted.problem, work.out.app.currency));
        out.default_value.kind = Default::Kind::literal;  // there is one, so nothing else lacks it
        return;
    }
    out.default_value = {Default::Kind::literal, *converted.text};
}

}  // namespace

void resolve_field(Work work, const contract::Field& in, Field& out) {
    out.name = in.name.text;
    out.label = in.label.text.empty() ? words(without_id(out.name)) : in.label.text;
    // The table of keys refuses unknown words.
    out.type = base::read_word<FieldType>(in.type.text).value_or(FieldType::text);
    out.required = in.required;
    out.unique = in.unique;
    out.immutable = in.immutable;
    out.index = in.index;
    out.path = in.path;
    check_options(work, in, out.type);
    resolve_form(work, in, out);
    resolve_limits(work, in, out);
    enum_values(work, in, out);
    enum_labels(work, in, out);
    reference(work, in, out);
    default_value(work, in, out);
    if (in.read) out.read = persona_list(work, *in.read);
    if (in.write) out.write = persona_list(work, *in.write);
    if (in.renamed_from) out.renamed_from = in.renamed_from->text;
}

}  // namespace svc::model
