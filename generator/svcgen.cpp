// svcgen: the generator on a file and a folder, offline.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>

#include "build/build.hpp"
#include "build/format.hpp"
#include "pipeline.hpp"

namespace {

// What a shell is told.
constexpr int kFine = 0;
constexpr int kRefused = 1;  // findings, or a build that failed
constexpr int kUsage = 2;    // arguments, or files that cannot be read or written

struct Options {
    std::string file;
    std::string folder;
    std::string binary;
    std::string cache;
    std::string toolchain;
    std::string sandbox;
    std::string colour = "auto";
    std::string database;
};

bool coloured(const std::string& wish) {
    if (wish != "auto") return wish == "always";
    const char* no_colour = std::getenv("NO_COLOR");
    return (no_colour == nullptr || *no_colour == '\0') && isatty(STDERR_FILENO) != 0;
}

std::optional<std::string> read(const std::string& file) {
    std::ostringstream text;
    if (file == "-") {
        text << std::cin.rdbuf();
        return text.str();
    }
    std::ifstream in(file, std::ios::binary);
    text << in.rdbuf();
    if (!in) return std::nullopt;
    return text.str();
}

std::string counted(std::size_t count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

void print(const svc::diag::Findings& findings, const Options& options, const std::string& text) {
    const std::string name = options.file == "-" ? "<stdin>" : options.file;
    std::size_t errors = 0;
    for (const auto& finding : findings.all()) {
        if (finding.severity == svc::diag::Severity::error) ++errors;
        std::cerr << svc::diag::render(finding, name, text, coloured(options.colour));
    }
    std::cerr << name << ": " << counted(errors, "error") << ", "
              << counted(findings.all().size() - errors, "warning") << '\n';
}

// The plan, or the exit code to end with.
int check(const Options& options, std::optional<svc::plan::Plan>& plan) {
    const auto text = read(options.file);
    if (!text) {
        std::cerr << "svcgen: " << options.file << " cannot be read\n";
        return kUsage;
    }
    auto checked = svc::pipeline::check(*text, options.database);
    print(checked.findings, options, *text);
    plan = std::move(checked.plan);
    return plan ? kFine : kRefused;
}

std::string default_cache() {
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0') {
        return std::string(cache) + "/svc";
    }
    const char* home = std::getenv("HOME");
    return std::string(home != nullptr ? home : "/tmp") + "/.cache/svc";
}

svc::build::Settings settings_of(const Options& options) {
    svc::build::Settings settings;
    settings.toolchain =
        options.toolchain.empty() ? svc::build::default_toolchain() : options.toolchain;
    settings.cache = options.cache.empty() ? default_cache() : options.cache;
    settings.sandbox = svc::build::sandbox_of(options.sandbox);
    return settings;
}

int emit(const Options& options, svc::emit::FileSet& files) {
    std::optional<svc::plan::Plan> plan;
    if (const int code = check(options, plan); code != kFine) return code;
    if (!plan->queries.empty() && options.database.empty()) {
        std::cerr << "svcgen: " << options.file
                  << " has queries, which are proved by a PostgreSQL: give --database URL, or "
                     "SVC_DATABASE_URL\n";
        return kUsage;
    }
    files = svc::pipeline::emit(*plan);
    svc::pipeline::write(svc::build::formatted(files, settings_of(options)), options.folder);
    return kFine;
}

int build(const Options& options) {
    svc::emit::FileSet files;
    if (const int code = emit(options, files); code != kFine) return code;
    const auto result = svc::build::compile(files, settings_of(options));
    if (!result.ok) {
        std::cerr << result.error << "svcgen: " << result.stage << " failed\n";
        return kRefused;
    }
    std::fprintf(stderr, "built in %.2f s: %u units, %u from the cache\n", result.seconds,
                 result.units, result.cached);
    if (options.binary.empty()) {
        std::cout << result.binary << '\n';
    } else {
        std::filesystem::copy_file(result.binary, options.binary,
                                   std::filesystem::copy_options::overwrite_existing);
    }
    return kFine;
}

CLI::App* subcommand(CLI::App& app, const char* name, const char* what, Options& options) {
    CLI::App* command = app.add_subcommand(name, what);
    command->add_option("file", options.file, "The contract, svc.json; - for standard input")
        ->required();
    command
        ->add_option("--database", options.database,
                     "URL of a PostgreSQL that proves named queries; it keeps nothing of it")
        ->envname("SVC_DATABASE_URL");
    command->add_option("--colour,--color", options.colour, "Colours in findings")
        ->check(CLI::IsMember({"auto", "always", "never"}));
    return command;
}

int run(int argc, char** argv) {
    Options options;
    CLI::App app("Compiles a contract into a native server.", "svcgen");
    app.require_subcommand(1);
    subcommand(app, "check", "Tells what is wrong with a contract", options);
    CLI::App* emitted = subcommand(app, "emit", "Writes the app's C++ into a folder", options);
    CLI::App* built = subcommand(app, "build", "Writes it, compiles and links it", options);
    for (CLI::App* command : {emitted, built}) {
        command->add_option("folder", options.folder, "Where the files go")->required();
        command->add_option("--cache", options.cache,
                            "What was formatted and built before; default ~/.cache/svc");
        command
            ->add_option("--sandbox", options.sandbox,
                         "Compilers in bubblewrap: auto, required or off")
            ->envname("SVC_SANDBOX");
    }
    built->add_option("-o,--output", options.binary,
                      "Copy the program here; else its path is told");
    built->add_option("--toolchain", options.toolchain,
                      "Default: toolchain/ beside this program, or SVC_TOOLCHAIN");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? kFine : kUsage;
    }
    if (app.got_subcommand(built)) return build(options);
    svc::emit::FileSet files;
    std::optional<svc::plan::Plan> plan;
    return app.got_subcommand(emitted) ? emit(options, files) : check(options, plan);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        std::cerr << "svcgen: " << error.what() << '\n';
        return kUsage;
    }
}
