// One block of a page. block_reader.cpp has the shared parts, block_rows.cpp blocks that show rows,
// block_numbers.cpp metric and chart, block_forms.cpp blocks that write, block_rest.cpp the others.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>

#include "contract/read/reader.hpp"
#include "model/page/page_text.hpp"
#include "model/parts.hpp"

namespace svc::model {

class BlockReader {
  public:
    // `page` has its route, parameters and principals; all pages have their routes.
    BlockReader(Work work, const Page& page, const contract::Block& in)
        : work_(work), page_(page), kind_(in.kind), in_(in.settings) {}

    Block read();

  private:
    using Value = contract::Value;

    // Shared parts.
    void head();
    bool source();  // entity or query; false: of no use, and said so
    void query_source(const contract::Text& name);
    void query_params(const Query& query);
    bool entity();
    void only_of_entities(std::initializer_list<const char*> keys);
    void columns();
    void row_id();
    void can_be_id(const contract::Text& text);
    PageText link(const char* key, bool with_row);
    PageScope scope(bool with_row) const;
    std::optional<Column> column(const char* key);
    FieldType type_of(const Column& column) const;
    const Field* field_of(const Column& column) const;  // null: made by the compiler
    const Entity& of() const { return work_.out.entities[*out_.entity]; }
    void bad(const std::string& path, const std::string& message, const std::string& fix);
    void count(const char* key, std::uint32_t greatest);
    // Reads a setting that is a word. An unknown word was reported before.
    template <class Enum>
    void take_word(const char* key, Enum& out) const {
        if (const auto word = in_.maybe_text(key))
            out = base::read_word<Enum>(word->text).value_or(out);
    }

    // Rows.
    void rows();
    void image();
    void board();
    void detail();
    void filter();
    void clause(const contract::Reader& in);
    bool operator_fits(FilterOp op, const Column& column, const std::string& path);
    void operand(const Value* value, FilterClause& out, const std::string& path);
    bool values(FilterOp op, const Value& value, const Column& column);
    bool one_value(const Value& value, const Column& column);
    bool fits(const Value& value, const Field& field, const std::string& name);

    // Numbers.
    void metric();
    void chart();
    void computed_number();
    void period();
    void query_number();

    // Writing.
    void form();
    void preset(const contract::Member& member);
    bool writable(const Column& column, bool changes);
    void actions();
    void upload();

    // The rest.
    void pay();
    void auth();
    void search();
    void component();

    Work work_;
    const Page& page_;
    const std::string& kind_;
    contract::Reader in_;
    Block out_;
};

// Once all pages have their blocks: links to the page of a row fill in its id.
void check_row_links(Work work);

}  // namespace svc::model
