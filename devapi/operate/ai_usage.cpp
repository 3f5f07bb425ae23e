#include "operate/ai_usage.hpp"

#include "operate/reading.hpp"

namespace svc::devapi {
namespace {

constexpr const char* kHas = "select to_regclass('svc.ai_day') is not null";

}  // namespace

std::string ai_usage_json(const std::string& database, int days) {
    Reading reading(database);
    if (!reading.tx.exec1(kHas)[0].as<bool>()) return "[]";
    return reading.tx.exec_params1("select svc.ai_usage($1)", days)[0].c_str();
}

}  // namespace svc::devapi
