// /account: who is signed in, their second factor and their organisations.
#pragma once

#include "page/visit.hpp"

namespace svc::page {

Task<> answer_account(Visit& visit);

}  // namespace svc::page
