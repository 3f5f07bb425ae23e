// The end of every upload, whichever way its bytes arrived: checks the type, then writes to the
// disk, the store, the row and the name, in this order.
#pragma once

#include <memory>
#include <string>

#include "file/file_context.hpp"

namespace svc::file {

struct Stored {
    std::string id, owner;
    std::string name;
    std::string mime;  // as declared, before; as it is kept, after
    std::uint64_t size = 0;
    std::string
        progress;  // the key of its bytes (file/upload_progress.hpp); empty: a row counts them
};

// 503: nothing is lost by trying again.
identity::Refusal store_is_away();

// Call it when the part is completely written. A refused upload leaves nothing on the disk.
Task<identity::Result<Stored>> store(const FileContext& in, Stored file,
                                     std::shared_ptr<Part> part);

// Deletes a part that no row names, from the store as well. If that fails, the sweep finds it by
// its name.
Task<> drop_part(const FileContext& in, std::shared_ptr<Part> part);

}  // namespace svc::file
