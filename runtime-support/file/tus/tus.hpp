// /files/tus: resumable uploads (https://tus.io, protocol 1.0), and what its routes have in common.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "file/disk/upload_file.hpp"
#include "file/file_context.hpp"
#include "file/state.hpp"

namespace svc::file {

// Returns false if the client speaks another version; the request is then answered. Every answer
// names our version.
bool speaks_tus(http::Exchange& exchange);

// An upload as its row has it, and this writer's claim to it.
struct Resumable {
    std::string id, owner, writer, mime, name, expires, metadata;
    FileState state = FileState::uploading;
    std::uint64_t size = 0, received = 0;
    std::unique_ptr<Hashed> hashed;  // of what has come; null: nobody knows
};

// Takes the upload that the path names, for its owner; an earlier writer stops. Returns an answer
// if it was refused.
Task<std::optional<route::Handled>> take(const FileContext& in, route::Request& request,
                                         const Caller& caller, Resumable& out);

// Stores an upload that has all its bytes. A refused upload is deleted; an upload that the store
// cannot take now is kept.
Task<std::optional<identity::Refusal>> finish(const FileContext& in, Resumable& upload);

// Deletes the row and the bytes of an upload.
Task<> discard(const FileContext& in, const Resumable& upload);
Task<> remove_bytes(const FileContext& in, std::string id);

// Writes the upload's offset into the headers of an answer.
void write_offset(http::Exchange& exchange, const Resumable& upload);

// Appends the body of a PATCH to the upload. Returns an answer if it was refused.
Task<std::optional<route::Handled>> append(const FileContext& in, http::Exchange& exchange,
                                           Resumable& upload);

// Answers OPTIONS with the supported parts of the protocol.
void write_protocol(http::Reply& reply, const FileRules& rules);

}  // namespace svc::file
