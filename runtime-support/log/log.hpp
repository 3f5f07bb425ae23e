// The log: one JSON object on each line of stderr, for each event. It never contains what a caller
// sent, except method, path and status.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "base/words.hpp"

namespace svc::log {

enum class Level : std::uint8_t { info, warning, error };

class Field {
  public:
    Field(std::string_view name, std::string_view text) : name_(name), text_(text) {}
    Field(std::string_view name, std::int64_t number)
        : name_(name), number_(number), is_number_(true) {}

  private:
    friend void write(Level, std::string_view, std::initializer_list<Field>);
    std::string_view name_;
    std::string_view text_;
    std::int64_t number_ = 0;
    bool is_number_ = false;
};

// `event` is a fixed word, such as "ready". Lines of several threads never mix.
void write(Level level, std::string_view event, std::initializer_list<Field> fields = {});

}  // namespace svc::log

template <>
struct svc::base::Words<svc::log::Level> {
    static constexpr std::array<std::string_view, 3> kAll = {"info", "warning", "error"};
};
