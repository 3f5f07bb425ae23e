// svcgen: the generator on a file and a folder, offline.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>

#include "base/read_file.hpp"
#include "build/build.hpp"
#include "build/format.hpp"
#include "check/exposure/exposure_diff.hpp"
#include "contract/keys/schema.hpp"
#include "pipeline.hpp"
#include "svcgen_lines.hpp"

namespace {

// The exit codes.
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
    std::string against;  // the contract that exposure is compared with
    bool exposure = false, json = false;
};

bool coloured(const std::string& setting) {
    if (setting != "auto") return setting == "always";
    const char* no_colour = std::getenv("NO_COLOR");
    return (no_colour == nullptr || *no_colour == '\0') && isatty(STDERR_FILENO) != 0;
}

std::optional<std::string> read(const std::string& file) {
    if (file != "-") return svc::base::read_file(file);
    return std::string(std::istreambuf_iterator<char>(std::cin), {});
}

void print(const svc::diag::Findings& findings, const Options& options, const std::string& text) {
    const std::string name = options.file == "-" ? "<stdin>" : options.file;
    std::cerr << svc::diag::render(findings, name, text, coloured(options.colour));
}

std::optional<std::string> read_or_tell(const std::string& file) {
    auto text = read(file);
    if (!text) std::cerr << "svcgen: " << file << " cannot be read\n";
    return text;
}

// The plan, or the exit code to end with.
int check(const Options& options, svc::pipeline::Checked& checked) {
    const auto text = read_or_tell(options.file);
    if (!text) return kUsage;
    checked = svc::pipeline::check(*text, options.database);
    print(checked.findings, options, *text);
    return checked.plan ? kFine : kRefused;
}

// Prints the exposure: the summary alone, or the whole table.
void show_exposure(const Options& options, const svc::check::Exposure& exposure) {
    if (options.json) {
        std::cout << svc::check::matrix_text(exposure) << '\n';
    } else {
        std::cout << (options.exposure ? svc::check::table_text(exposure)
                                       : svc::check::summary_text(exposure) + "\n");
    }
}

int show_difference(const Options& options, const svc::check::Exposure& now) {
    const auto text = read_or_tell(options.against);
    if (!text) return kUsage;
    const auto before = svc::pipeline::check(*text);
    if (!before.plan) {
        std::cerr << "svcgen: " << options.against
                  << " has errors, so nothing can be compared with it\n";
        return kRefused;
    }
    const auto diff = svc::check::compare(before.exposure, now);
    if (options.json) {
        std::cout << svc::check::json_text(diff) << '\n';
        return kFine;
    }
    if (diff.changes.empty()) std::cout << "Nobody may do more or less than before.\n";
    for (const std::string& line : svc::check::sentences(diff)) std::cout << line << '\n';
    return kFine;
}

int checked_alone(const Options& options) {
    svc::pipeline::Checked checked;
    if (const int code = check(options, checked); code != kFine) return code;
    if (!options.against.empty()) return show_difference(options, checked.exposure);
    show_exposure(options, checked.exposure);
    return kFine;
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
    svc::pipeline::Checked checked;
    if (const int code = check(options, checked); code != kFine) return code;
    if (!checked.plan->queries.empty() && options.database.empty()) {
        std::cerr
            << "svcgen: " << options.file
            << " has queries, and only a PostgreSQL can check them: use --database URL, or set "
               "SVC_DATABASE_URL\n";
        return kUsage;
    }
    files = svc::pipeline::emit_all(*checked.plan, settings_of(options));
    svc::pipeline::write(svc::build::formatted(files, settings_of(options)), options.folder);
    return kFine;
}

int build(const Options& options) {
    svc::emit::FileSet files;
    if (const int code = emit(options, files); code != kFine) return code;
    const auto result = svc::build::compile(files, settings_of(options));
    if (!result.ok) {
        std::cerr << result.error << "svcgen: " << svc::base::word(result.stage) << " failed\n";
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

int print_schema() {
    std::cout << svc::contract::json_schema(svc::contract::contract_shape());
    return kFine;
}

CLI::App* subcommand(CLI::App& app, const char* name, const char* what, Options& options) {
    CLI::App* command = app.add_subcommand(name, what);
    command->add_option("file", options.file, "Contract file, svc.json; - for standard input")
        ->required();
    command
        ->add_option("--database", options.database,
                     "URL of a PostgreSQL that checks named queries; nothing is stored in it")
        ->envname("SVC_DATABASE_URL");
    command->add_option("--colour,--color", options.colour, "When findings have colours")
        ->check(CLI::IsMember({"auto", "always", "never"}));
    return command;
}

void add_check(CLI::App& app, Options& options) {
    CLI::App* command = subcommand(app, "check", "Shows what is wrong with a contract", options);
    command->add_flag("--exposure", options.exposure,
                      "Show who may do what to which rows and fields");
    command->add_option("--against", options.against,
                        "Another contract: show who may do more or less than under it");
    command->add_flag("--json", options.json, "Print exposure, or its changes, as JSON");
}

CLI::App* add_emit(CLI::App& app, const char* name, const char* what, Options& options) {
    CLI::App* command = subcommand(app, name, what, options);
    command->add_option("folder", options.folder, "Folder for the files")->required();
    command->add_option("--cache", options.cache, "Cache of earlier builds; default ~/.cache/svc");
    command
        ->add_option("--sandbox", options.sandbox,
                     "Run compilers in bubblewrap: auto, required or off")
        ->envname("SVC_SANDBOX");
    return command;
}

CLI::App* add_build(CLI::App& app, Options& options) {
    CLI::App* command = add_emit(app, "build", "Writes, compiles and links the app", options);
    command->add_option("-o,--output", options.binary,
                        "Copy the program to this path; otherwise its path is printed");
    command->add_option(
        "--toolchain", options.toolchain,
        "Folder of the toolchain; default SVC_TOOLCHAIN, or toolchain/ beside this program");
    return command;
}

int run(int argc, char** argv) {
    Options options;
    CLI::App app("Compiles a contract into a native server.", "svcgen");
    app.require_subcommand(1);
    add_check(app, options);
    CLI::App* emitted = add_emit(app, "emit", "Writes the C++ of the app to a folder", options);
    CLI::App* built = add_build(app, options);
    CLI::App* schema = app.add_subcommand("schema", "Prints the JSON Schema of contracts");
    CLI::App* lines = app.add_subcommand("check-lines")->group("");  // for tests of this project
    lines->add_option("--database", options.database)->envname("SVC_DATABASE_URL");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? kFine : kUsage;
    }
    if (app.got_subcommand(schema)) return print_schema();
    if (app.got_subcommand(lines)) {
        svc::pipeline::check_lines(std::cin, std::cout, options.database);
        return kFine;
    }
    if (app.got_subcommand(built)) return build(options);
    svc::emit::FileSet files;
    return app.got_subcommand(emitted) ? emit(options, files) : checked_alone(options);
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
