#include "data/select/nested_rows.hpp"

#include "base/json_slice.hpp"
#include "json/escape.hpp"

namespace svc::data::select {
namespace {

class Printer {
  public:
    explicit Printer(std::string& out) : out_(out) {}

    bool cut() const { return cut_; }

    void rows(const Selected& selected, std::string_view json) {
        const bool none = json.empty() || json == "null";
        if (selected.link->kind == Link::many) {
            out_ += '[';
            if (!none) list(selected, json);
            out_ += ']';
        } else if (none) {
            out_ += "null";
        } else if (json.front() == '[') {
            out_ += "null";
            cut_ = true;
        } else {
            object(selected, json);
        }
    }

  private:
    void list(const Selected& selected, std::string_view json) {
        base::take(json, '[');
        for (std::size_t i = 0; !base::take(json, ']') && !json.empty(); ++i) {
            const std::string_view row = base::take_value(json);
            base::take(json, ',');
            if (row.empty()) return;
            if (i == selected.most || row == "null") {
                cut_ = true;
                return;
            }
            if (i != 0) out_ += ',';
            object(selected, row);
        }
    }

    // Prints members in the order in which they were selected.
    void object(const Selected& selected, std::string_view json) {
        base::take(json, '{');
        const Entity& entity = *selected.link->target;
        for (std::size_t i = 0; i < selected.members.size(); ++i) {
            const Selected& member = selected.members[i];
            base::take_value(json);  // its name
            base::take(json, ':');
            const std::string_view value = base::take_value(json);
            base::take(json, ',');
            out_.append(i == 0 ? "{\"" : ",\"").append(member.name).append("\":");
            if (member.link != nullptr) {
                rows(member, value);
            } else {
                column(entity.columns[member.column].type, value);
            }
        }
        out_ += '}';
    }

    // A moment comes as PostgreSQL's text; NaN and the infinities are strings, and null with us.
    void column(Type type, std::string_view value) {
        const bool quotes = value.size() >= 2 && value.front() == '"';
        if (type == Type::timestamp && quotes) {
            json::append_timestamp(out_, value.substr(1, value.size() - 2));
        } else if ((type == Type::decimal || type == Type::floating) && quotes) {
            out_ += "null";
        } else {
            out_ += value;
        }
    }

    std::string& out_;
    bool cut_ = false;
};

}  // namespace

bool append_nested(std::string& out, const Selected& selected, std::string_view json) {
    Printer printer(out);
    printer.rows(selected, json);
    return printer.cut();
}

}  // namespace svc::data::select
