// Numbers of a process as Prometheus reads them (text format 0.0.4).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace svc::base {

inline constexpr std::string_view kPrometheusType = "text/plain; version=0.0.4; charset=utf-8";

class Prometheus {
  public:
    enum class Kind : std::uint8_t { counter, gauge };
    using Labels = std::vector<std::pair<std::string_view, std::string_view>>;

    // Begins the family of the samples that follow. `help`: one sentence in one line.
    void family(Kind kind, std::string_view name, std::string_view help);
    void sample(double value, const Labels& labels = {});
    // A family of one sample.
    void one(Kind kind, std::string_view name, std::string_view help, double value) {
        family(kind, name, help);
        sample(value);
    }

    const std::string& text() const { return text_; }

  private:
    std::string text_, name_;
};

}  // namespace svc::base
