// Renders a plan as files: one table says which file is made from which template.
#pragma once

#include "emit/file_set.hpp"
#include "plan/plan.hpp"

namespace svc::emit {

FileSet render(const plan::Plan& plan);

}  // namespace svc::emit
