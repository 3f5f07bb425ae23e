// The states of a file, with the names that svc.file stores, and what its row says of bytes that
// came.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/words.hpp"

namespace svc::file {

enum class FileState : std::uint8_t {
    signed_,    // somebody may upload it
    uploading,  // a resumable upload has begun
    stored,
    deleted  // its bytes stay for a while
};

// The answers of svc.store_file and svc.go_on_with_upload.
enum class Verdict : std::uint8_t {
    stored,
    advanced,
    quota,  // there is no room
    taken   // the upload is somebody else's, or has ended
};

}  // namespace svc::file

template <>
struct svc::base::Words<svc::file::FileState> {
    static constexpr std::array<std::string_view, 4> kAll = {"signed", "uploading", "stored",
                                                             "deleted"};
};

template <>
struct svc::base::Words<svc::file::Verdict> {
    static constexpr std::array<std::string_view, 4> kAll = {"stored", "advanced", "quota",
                                                             "taken"};
};

namespace svc::file {

// Read the words of a row of svc.file, which holds no others.
inline FileState state_of(std::string_view word) {
    return base::read_word<FileState>(word).value_or(FileState::deleted);
}
inline Verdict verdict_of(std::string_view word) {
    return base::read_word<Verdict>(word).value_or(Verdict::taken);
}

}  // namespace svc::file
