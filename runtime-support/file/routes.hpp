// POST /files/sign, POST /files/direct, GET and DELETE /files/<id>.
#pragma once

#include <vector>

#include "file/file_context.hpp"

namespace svc::file {

// `in` outlives them.
std::vector<route::Endpoint> routes(const FileContext& in);

}  // namespace svc::file
