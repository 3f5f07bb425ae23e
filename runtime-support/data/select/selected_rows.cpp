#include "data/select/selected_rows.hpp"

#include "data/columns.hpp"
#include "data/select/nested_rows.hpp"
#include "data/writers.hpp"

namespace svc::data::select {
namespace {

constexpr std::string_view kJsonOid = "114";

}  // namespace

SelectedRows::SelectedRows(const Entity& entity, std::vector<Selected> members)
    : entity_(&entity), members_(std::move(members)) {
    for (const Selected& selected : members_) {
        keys_.push_back((keys_.empty() ? "{\"" : ",\"") + std::string(selected.name) + "\":");
    }
}

void SelectedRows::write(const Row& row, std::string& out) {
    auto next = static_cast<int>(entity_->columns.size() + others_);
    for (std::size_t i = 0; i < members_.size(); ++i) {
        const Selected& selected = members_[i];
        if (selected.link == nullptr) {
            const Column& column = entity_->columns[selected.column];
            writer(column.type)(out, keys_[i], row, static_cast<int>(selected.column));
        } else {
            out += keys_[i];
            cut_ |= append_nested(out, selected, row.text(next++));
        }
    }
    out += '}';
}

void SelectedRows::append_fields(std::string& out) const {
    for (std::size_t i = 0; i < members_.size(); ++i) {
        const Selected& selected = members_[i];
        out.append(i == 0 ? R"([{"name":")" : R"(,{"name":")").append(selected.name);
        out += R"(","type":")";
        out += selected.link != nullptr
                   ? kJsonOid
                   : std::to_string(shown_oid(entity_->columns[selected.column].type));
        out += "\"}";
    }
    out += ']';
}

}  // namespace svc::data::select
