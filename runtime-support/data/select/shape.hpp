// The form of rows in an answer: their parts (`select`) and their format (`Accept`).
#pragma once

#include <optional>
#include <string>

#include "data/format.hpp"
#include "data/select/selected_rows.hpp"
#include "identity/caller.hpp"
#include "svc/app.hpp"

namespace svc::data::select {

class Shape {
  public:
    // The caller, the entity, and the requested form.
    struct Reader {
        const Entity& entity;
        const Caller& caller;
        const App& app;
        const http::Head& head;
    };

    // A shape of rows without a selection.
    explicit Shape(const http::Head& head) : format_(accepted(head)) {}

    // `rows`: how many the answer may have. `bound`: what is bound in the statement of the rows, to
    // which that of links is added; it outlives the shape.
    // Errors are those of read_selection() and read_link_options().
    static Result<Shape> read(const Reader& reader, std::size_t rows, QueryText& bound);

    // The statement to run instead of `rows`; see selecting(). The shape owns its text.
    Statement around(const Statement& rows, const KeptColumns& kept = {});

    Format format() const { return format_; }
    // True if the answer has rows of other tables.
    bool has_links() const { return weight_ > 1; }
    // A text that identifies this form of the answer; empty for the usual form. Valid only during
    // the request.
    std::string form(const http::Head& head) const;
    SelectedRows* selected() { return selected_ ? &*selected_ : nullptr; }
    // Work beside that of the rows alone.
    unsigned weight() const { return weight_; }

  private:
    Format format_;
    const Entity* entity_ = nullptr;
    std::optional<SelectedRows> selected_;
    std::string sql_;
    const QueryText* bound_ = nullptr;
    unsigned weight_ = 1;
};

}  // namespace svc::data::select
