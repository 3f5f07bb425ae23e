// Messages of refusals that several rooms of this folder send, so that each has one text.
#pragma once

namespace svc::file {

inline constexpr const char* kBadFileId = "The id of a file must be a uuid.";
inline constexpr const char* kTypeNotAllowed = "The app does not accept files of this type.";
inline constexpr const char* kFileNotStored = "The file could not be stored. Try again.";
inline constexpr const char* kUploadLost = "The upload was lost. Begin it again.";

}  // namespace svc::file
