// The rows of a create as they were sent: one object, or an array of them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/call.hpp"
#include "data/query_text.hpp"
#include "json/json_reader.hpp"

namespace svc::data::write {

struct Draft {
    explicit Draft(std::size_t columns) : values(columns) {}
    bool sent(unsigned column) const { return values[column].state != json::Slot::absent; }
    bool given(unsigned column) const { return values[column].state == json::Slot::given; }

    json::Values values;
    std::string id;  // of the row that it becomes
    // Parameters of Entity::create. They are views into this draft and the call, so a draft keeps
    // its address.
    std::vector<db::Param> params;
};

struct Drafts {
    static constexpr std::size_t kMost = 1000;

    std::vector<Draft> rows;
    bool array = false;
};

bool is_array(std::string_view body);

// Decoded and checked, each with an id. The error of a row in an array says which.
Result<Drafts> read_drafts(const Call& call);

// The error of one row among several. Its message and `index` name the row, counted from 0.
Error at_row(Error error, std::size_t index);

}  // namespace svc::data::write
