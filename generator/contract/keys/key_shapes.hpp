// The shapes of the table of keys, a file a part of the contract; keys.cpp puts them together.
#pragma once

#include "contract/keys/keys.hpp"

namespace svc::contract {

constexpr bool kRequired = true;
constexpr bool kOptional = false;

extern const Shape kApp, kPersona, kAuth, kOrgs, kSeedUser;  // keys_app.cpp
extern const Shape kEntity;                                  // keys_entity.cpp
// keys_services.cpp
extern const Shape kPayments, kFiles, kAi, kConnectors, kProvider;
extern const Shape kQuery, kParam;                           // keys_flow.cpp
extern const Shape kStep, kRetry;                            // keys_steps.cpp
extern const Shape kFunction, kWorkflow, kWebhooks, kTopic;  // keys_workflows.cpp
extern const Shape kPage, kComponent;                        // keys_pages.cpp
extern const Shape kBlock;                                   // keys_blocks.cpp

}  // namespace svc::contract
