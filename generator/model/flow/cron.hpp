// Times of cron: minute, hour, day of month, month, day of week.
#pragma once

#include <string>
#include <string_view>

namespace svc::model {

// What is wrong with it, as a sentence; empty where it is sound. Each field is *, a number, a
// range, any of these with a step (*/15, 9-17/2), or several joined by commas; months and days of
// the week also by their first three letters. Sunday is 0 or 7.
std::string cron_problem(std::string_view text);

}  // namespace svc::model
