// A create that meets a row with the same unique key: POST …?onConflict=sku&resolution=merge.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "data/write/drafts.hpp"

namespace svc::data::write {

enum class Resolution { merge, ignore };

struct Upsert {
    const Key* key = nullptr;
    Resolution resolution = Resolution::merge;

    bool in_key(unsigned column) const;
};

// "order_id,product_id"
std::string key_names(const Entity& entity, const Key& key);

// The upsert that the query string asks for, if any. 400 if its columns are not a unique key or the
// caller cannot read all of them; 403 if the caller may not do it.
Result<std::optional<Upsert>> read_upsert(const Call& call);

// 400 if the draft lacks a column of the key; 403 where merging would change what the caller may
// not send.
std::optional<Error> check_draft(const Call& call, const Upsert& upsert, const Draft& draft);

// Creates the draft, or sets the columns that were sent in the row that exists. The same
// parameters as Entity::create; gives the row and its version.
std::string merge_sql(const Call& call, const Upsert& upsert, const Draft& draft);
// Creates the draft if no such row exists.
std::string ignore_sql(const Call& call, const Upsert& upsert);

// Both kinds for external rows, where only the key is known to be unique. A boolean after the
// version says whether the row is new. An existing row that is hidden from the caller raises 23505,
// and so does a row that another caller creates meanwhile.
std::string external_upsert_sql(const Call& call, const Upsert& upsert, const Draft& draft);

// The row that a draft created or changed: found by its id or by the key. For a row that the caller
// may not see, the first returns nothing and the second raises 23505.
QueryText found_row(const Call& call, const Upsert& upsert, const Draft& draft);
QueryText must_see(const Call& call, const Upsert& upsert, const Draft& draft);

}  // namespace svc::data::write
