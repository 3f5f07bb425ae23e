// Bodies of forms that may hold files: multipart/form-data, read while it comes. Each file goes to
// the API's direct upload as it comes, so limits, kinds, quotas and who may upload are those of the
// API, and no file stands in memory.
#pragma once

#include "page/visit.hpp"

namespace svc::page {

inline constexpr std::size_t kFormText = 1024 * 1024;  // bytes of everything except files

// True if the page reads the body of such a request itself. `most`: the most bytes of it.
bool is_multipart(const http::Head& head);
std::uint64_t most_of_form(const App& app);

// Whether a file of this input is accepted, from the fields before it.
using WantsFile = std::function<bool(std::string_view input)>;

// `no_account`: a file came from a guest, who can upload none; not all of it was read.
enum class FormBody { good, malformed, too_large, no_account };
// Fills visit.form and visit.files. Files that are not wanted are dropped.
Task<FormBody> read_form_body(Visit& visit, WantsFile wanted);

}  // namespace svc::page
