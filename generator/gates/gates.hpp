// The gates of components. They run under Node.js (web/components), in the sandbox that compilers
// run in.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.hpp"
#include "build/build.hpp"
#include "emit/file_set.hpp"

namespace svc::gates {

struct Component {
    std::string name;
    std::string source;  // TSX
    std::string sample;  // JSON object; empty: none
};

struct Prop {
    std::string name;
    std::string json;  // its value; empty: only its type is known
    std::string type;  // of TypeScript
};

// client/*.ts of an app's files.
emit::FileSet client_of(const emit::FileSet& files);

// A page or block that shows a component.
struct ComponentUse {
    std::string component;
    std::vector<Prop> props;
};

struct Job {
    std::vector<Component> components;
    emit::FileSet client;  // client/*.ts of this contract; empty: "svc/client" is there, untyped
    std::vector<ComponentUse> uses;
};

struct GateFinding {
    std::string component;           // empty: of no one file
    std::optional<std::size_t> use;  // the use at fault; the place is not in a source then
    bool sample = false;             // the sample is at fault; likewise
    int line = 1, column = 1;        // of the component's source, from 1
    std::string message;
};

// The gates in the order in which they are tried.
enum class Gate : std::uint8_t { statics, types, compile, render };

struct Report {
    std::vector<Gate> passed;
    std::optional<Gate> failed;  // the first that does not hold; none: all hold
    std::vector<GateFinding> errors;
    std::string trouble;  // the gates could not be asked: what this machine lacks, as sentences

    bool ok() const { return !failed && trouble.empty(); }
};

// Components that have passed and are unchanged, imports included, are not checked again; a job
// without components starts nothing. Blocks, up to some minutes, and waits for a permit of its
// party. Throws std::system_error and std::filesystem::filesystem_error.
Report run(const Job& job, const build::Settings& settings);

}  // namespace svc::gates

// As gate.mjs and answers name them.
template <>
struct svc::base::Words<svc::gates::Gate> {
    static constexpr std::array<std::string_view, 4> kAll = {"static", "types", "compile",
                                                             "render"};
};
