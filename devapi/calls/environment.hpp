// The environment of an operation, and who may change it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "apps/database/database.hpp"
#include "calls/context.hpp"
#include "http/dev_request.hpp"
#include "http/fields.hpp"

namespace svc::devapi {

// The environment that ?env= names; dev if it is absent. None: answered 400.
std::optional<Env> environment_of(const Request& request, Response& response);
// The environment that the member `env` names. Notes in `fields` what is wrong.
Env environment_of(Fields& fields, Env usual = Env::dev);

// The address of its database, as the administrator; empty: answered 404 NO_APP.
std::string database_of(Context& context, const Request& request, Env env, Response& response);
void refuse_no_app(Env env, Response& response);
// With the role for developers' SQL. None: answered.
std::optional<AppDatabase> operated(Context& context, const Request& request, Env env,
                                    Response& response);

// For routes whose need is `change` or `read_or_change`: scope apply on dev and deploy on prod, and
// the role developer. False: answered.
bool may_change(const Request& request, Env env, Response& response);

// For routes whose need is `read_or_change`, before it is known whether the call reads or changes:
// either right is enough. Returns false if the call was answered.
bool may_read_or_change(const Request& request, Env env, Response& response);
// The same for a call of such a route that reads. False: answered.
bool may_read(const Request& request, Response& response);

// Call it before a write past the app: on prod it takes a snapshot; without one nothing may be
// written. Returns false if the call was answered.
bool keep_before_write(Context& context, const Request& request, Env env, Response& response);

// A slot for a long call. None: answered 503.
bool busy(const ConcurrencyLimit::Slot& slot, Response& response);

// A whole number from the query, or `usual`. 0: answered 400.
int limit_of(const Request& request, int usual, int most, Response& response,
             const char* name = "limit");
void bad_parameter(Response& response, const char* field, const std::string& message);

}  // namespace svc::devapi
