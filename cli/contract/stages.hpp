// The stages of an apply as they run.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

namespace svc::cli {

// On a terminal the running stage is one line that keeps its time and is replaced by its outcome;
// elsewhere each stage is a line when it ends, and one before if it says what will take long.
class StageView {
  public:
    StageView();

    // {name, status: running, done or failed, ms, detail}
    void show(const nlohmann::json& stage);
    void tick();
    // Takes the live line away, if there is one.
    void finish();

  private:
    void begin(const std::string& name, const std::string& detail);
    void draw_running() const;

    bool live_;
    bool colour_;
    std::string running_;  // name; empty: none
    std::string told_;     // name of the last stage that said something while it ran
    std::string detail_;
    std::chrono::steady_clock::time_point since_{};
};

// The changes of {plan: [{kind, table, column?, sql}]}, a line a table.
std::string plan_lines(const nlohmann::json& plan);
// The plan with each statement, in their order.
std::string plan_sql(const nlohmann::json& plan);
// Differences of contracts, [{path, kind, was?, is?}], a line each.
std::string difference_lines(const nlohmann::json& changes);
// The unmanaged objects of the database: {kind, table, name?}.
std::string unmanaged_lines(const nlohmann::json& unmanaged);

}  // namespace svc::cli
