// One apply: a contract's text becomes the live server of its project, or nothing changes.
#pragma once

#include <functional>
#include <string>

#include "apps/apps.hpp"
#include "apps/board.hpp"
#include "apps/keys.hpp"
#include "apps/supervisor.hpp"
#include "apps/turn.hpp"
#include "platform/secrets.hpp"

namespace svc::devapi {

struct Workshop {
    const AppsConfig& config;
    Supervisor& supervisor;
    KeyBook& keys;
    Board& board;
    const Secrets& secrets;
};

using Progress = std::function<void(const Stage&)>;

// Blocks; worker threads only. What fails is in the outcome; the turn's row gets its end.
ApplyOutcome apply(const Workshop& shop, Turn& turn, const std::string& contract, bool force,
                   const Progress& progress, const std::vector<migrate::Replaced>& replaced = {});

// The binary of the contract that the database already follows, built anew: its file was lost.
// Starts it. What fails is written on the board.
void rebuild(const Workshop& shop, const ProjectRef& project, const ContractRecord& record);

}  // namespace svc::devapi
