#include "data/select/selection.hpp"

#include <algorithm>
#include <optional>

#include "base/ascii.hpp"
#include "data/columns.hpp"

namespace svc::data::select {
namespace {

constexpr unsigned kMaxDepth = 4;
constexpr unsigned kMaxLinks = 16;
constexpr std::size_t kMostLinked = 100;    // rows that one link of a row shows
constexpr std::size_t kMostInAll = 50'000;  // and that one link of all rows shows
constexpr std::size_t kShownName = 48;      // the longest that the contract can give

using Members = std::vector<Selected>;
using Failed = std::optional<Error>;

Error unknown(const Entity& entity, std::string_view name) {
    return unknown_column(entity, name.substr(0, kShownName));
}

// list = one {"," one}; one = "*" | name | [name ":"] name "(" list ")"
class SelectionReader {
  public:
    SelectionReader(std::string_view text, PrincipalSet principals)
        : text_(text), principals_(principals) {}

    Failed read(const Entity& entity, std::size_t rows, Members& out) {
        if (auto failed = list(entity, rows, out)) return failed;
        if (at_ < text_.size()) return wrong("a comma");
        return {};
    }

  private:
    Failed list(const Entity& entity, std::size_t rows, Members& out) {
        do {
            if (auto failed = one(entity, rows, out)) return failed;
        } while (take(','));
        return {};
    }

    Failed one(const Entity& entity, std::size_t rows, Members& out) {
        if (take('*')) return all(entity, out);
        const std::string_view name = this->name();
        if (name.empty()) return wrong("a name");
        if (take(':')) return renamed(entity, name, rows, out);
        if (take('(')) return read_linked(entity, name, name, rows, out);
        const Visible visible = visible_columns(entity, principals_);
        const Column* column = readable_column(entity, visible.columns, name);
        if (column == nullptr) return not_a_column(entity, name);
        return add({.name = std::string(column->name), .column = index_of(entity, *column)}, out);
    }

    Failed all(const Entity& entity, Members& out) {
        const Visible visible = visible_columns(entity, principals_);
        for (unsigned i = 0; i < entity.columns.size(); ++i) {
            if (!visible.columns[i]) continue;
            if (auto failed =
                    add({.name = std::string(entity.columns[i].name), .column = i}, out)) {
                return failed;
            }
        }
        return {};
    }

    // Linked rows, under a name of the caller's choice.
    Failed renamed(const Entity& entity, std::string_view shown, std::size_t rows, Members& out) {
        if (shown.size() > kShownName)
            return bad_params("A name in select may have at most 48 characters.");
        const std::string_view name = this->name();
        if (name.empty()) return wrong("a name");
        if (!take('(')) return wrong("an opening parenthesis");
        return read_linked(entity, name, shown, rows, out);
    }

    Failed read_linked(const Entity& entity, std::string_view name, std::string_view shown,
                       std::size_t rows, Members& out) {
        const Link* link = readable_link(entity, name);
        if (link == nullptr) return unknown(entity, name);
        if ((link->target->access.read & principals_) == 0) return forbidden(*link->target);
        if (++depth_ > kMaxDepth) return bad_params("select may be at most 4 links deep.");
        if (++links_ > kMaxLinks) return bad_params("select may have at most 16 links.");
        Selected selected{.name = std::string(shown), .link = link};
        if (link->kind == Link::many) {
            selected.most = std::clamp<std::size_t>(kMostInAll / rows, 1, kMostLinked);
        }
        if (auto failed = list(*link->target, rows * selected.most, selected.members)) {
            return failed;
        }
        if (!take(')')) return wrong("a comma or a closing parenthesis");
        --depth_;
        return add(std::move(selected), out);
    }

    // The caller must be able to read both columns of the link: a link shows their values.
    const Link* readable_link(const Entity& entity, std::string_view name) const {
        const Link* link = find_link(entity, name);
        if (link == nullptr) return nullptr;
        const bool both = readable(entity.columns[link->column]) &&
                          readable(link->target->columns[link->target_column]);
        return both ? link : nullptr;
    }

    bool readable(const Column& column) const { return (column.readers & principals_) != 0; }

    Failed not_a_column(const Entity& entity, std::string_view name) const {
        Error error = unknown(entity, name);
        if (readable_link(entity, name) != nullptr) {
            error.message += " Select the linked rows as " + error.field + "(id).";
        }
        return error;
    }

    static Error forbidden(const Entity& entity) {
        return {Code::table_forbidden,
                "You are not allowed to do this with " + std::string(entity.name) + '.'};
    }

    static Failed add(Selected selected, Members& out) {
        if (std::ranges::find(out, selected.name, &Selected::name) != out.end()) {
            return bad_params("select names " + selected.name + " twice.");
        }
        out.push_back(std::move(selected));
        return {};
    }

    static unsigned index_of(const Entity& entity, const Column& column) {
        return static_cast<unsigned>(&column - entity.columns.data());
    }

    std::string_view name() {
        skip_space();
        const std::size_t begin = at_;
        const auto fits = [](char c) { return base::is_lower(c) || base::is_digit(c) || c == '_'; };
        while (at_ < text_.size() && fits(text_[at_])) ++at_;
        return text_.substr(begin, at_ - begin);
    }

    bool take(char c) {
        skip_space();
        if (at_ == text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }

    void skip_space() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    }

    Error wrong(const std::string& expected) const {
        return bad_params(
            "select: " + expected + " is missing at byte " + std::to_string(at_ + 1) +
            ". select takes names with commas between them, and linked rows as lines(id).");
    }

    const std::string_view text_;
    const PrincipalSet principals_;
    std::size_t at_ = 0;
    unsigned depth_ = 0, links_ = 0;
};

}  // namespace

Result<Members> read_selection(const Entity& entity, PrincipalSet principals, std::string_view text,
                               std::size_t rows) {
    Members members;
    if (auto failed = SelectionReader(text, principals)
                          .read(entity, std::max<std::size_t>(rows, 1), members)) {
        return *failed;
    }
    return members;
}

}  // namespace svc::data::select
