// Blocks that write: form, actions, upload.
#include <algorithm>

#include "model/names.hpp"
#include "model/page/block_reader.hpp"
#include "model/values.hpp"

namespace svc::model {

bool BlockReader::writable(const Column& column, bool changes) {
    const Field* field = field_of(column);
    std::string why;
    if (field == nullptr) {
        why = "is set by the server";
    } else if (field->computed) {
        why = "is computed";
    } else if (field->lifecycle) {
        why = "changes only by transitions";
    } else if (field->type == FieldType::sequence) {
        why = "is counted by the server";
    } else if (field->write && field->write->empty()) {
        why = "is written only by the server";
    } else if (changes && field->immutable) {
        why = "cannot change after the row is created";
    } else {
        return true;
    }
    if (work_.findings.doubts(column.path)) return false;
    work_.findings.error(
        "FIELD_NOT_WRITABLE", column.path,
        "\"" + (field != nullptr ? field->name : column.builtin) + "\" " + why + ".",
        field != nullptr && field->lifecycle ? "use an actions block" : "remove it from the form");
    return false;
}

void BlockReader::form() {
    if (!entity()) return;
    const bool changes = in_.find("id") != nullptr;
    if (changes) row_id();
    columns();
    for (const Column& column : out_.fields) writable(column, changes);
    for (const contract::Member& member : in_.members("set")) preset(member);
    out_.then = link("then", true);
}

void BlockReader::preset(const contract::Member& member) {
    const contract::Text name{member.name, contract::name_of(member.value.path)};
    const auto column = resolve_column(work_, *out_.entity, name);
    if (!column || !writable(*column, in_.find("id") != nullptr)) return;
    const auto asked = std::find_if(
        out_.fields.begin(), out_.fields.end(),
        [&](const Column& other) { return other.builtin.empty() && other.field == column->field; });
    if (asked != out_.fields.end()) {
        bad(name.path, "\"" + member.name + "\" is in both \"fields\" and \"set\".",
            "remove it from one of the two");
    }
    const Field* field = field_of(*column);
    if (member.value.is(Value::Kind::null) && field != nullptr && field->required) {
        return bad(member.value.path, "\"" + member.name + "\" is required, so it cannot be null.",
                   "write a value, or remove the key");
    }
    if (has_placeholders(member.value) || one_value(member.value, *column)) {
        out_.set.emplace_back(column->field, read_page_value(scope(false), member.value));
    }
}

void BlockReader::actions() {
    if (!entity()) return;
    row_id();
    out_.remove = in_.flag("delete");
    out_.then = link("then", true);
    const auto& lifecycle = of().lifecycle;
    std::vector<std::string> known;
    if (lifecycle) {
        for (const Transition& move : lifecycle->transitions) known.push_back(move.name);
    }
    const auto named = in_.maybe_texts("transitions");
    if (!named) {
        for (std::size_t i = 0; i < known.size(); ++i) out_.transitions.push_back(i);
    }
    for (const contract::Text& name : distinct(work_, named.value_or(contract::Texts{}))) {
        const auto found = std::find(known.begin(), known.end(), name.text);
        if (found != known.end()) {
            out_.transitions.push_back(static_cast<std::size_t>(found - known.begin()));
            continue;
        }
        work_.findings.missing(
            "UNKNOWN_TRANSITION", name.text, name.path,
            of().name + " has no transition \"" + name.text + "\".",
            did_you_mean(name.text, known,
                         known.empty() ? "give the entity a lifecycle"
                                       : "the transitions are " + joined(known)));
    }
    const bool idle = known.empty() && !named && !out_.remove;
    if (idle && !work_.findings.doubts(of().path + "/lifecycle")) {
        bad(in_.path(), "This block has no buttons: \"" + of().name + "\" has no lifecycle.",
            "add \"delete\": true, or give the entity a lifecycle");
    }
}

void BlockReader::upload() {
    if (!entity()) return;
    row_id();
    const auto field = column("field");
    if (!field || !writable(*field, true)) return;
    out_.file_field = field->field;
    if (type_of(*field) == FieldType::file) return;
    bad(field->path, "\"field\" must be a field of type file.", "name a field of type file");
}

}  // namespace svc::model
