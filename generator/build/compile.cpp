#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "base/sha256.hpp"
#include "build/build.hpp"
#include "build/cache.hpp"
#include "build/chunks.hpp"
#include "build/process.hpp"
#include "build/source_locations.hpp"
#include "build/toolchain.hpp"

namespace svc::build {
namespace {

namespace fs = std::filesystem;

constexpr fs::perms kReadable =
    fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read;

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words) text += word + '\n';
    return text;
}

void write_file(const fs::path& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
    fs::permissions(path, fs::perms::owner_write | kReadable);
}

// One build: sources in a folder of its own, where compilers run, so that no path of this machine
// gets into an object.
class Build {
  public:
    Build(const emit::FileSet& files, const Settings& settings)
        : files_(files),
          settings_(settings),
          toolchain_(load_toolchain(fs::absolute(settings.toolchain).string())),
          cache_(settings.cache),
          jobs_(settings.jobs != 0 ? settings.jobs
                                   : std::max(1U, std::thread::hardware_concurrency())),
          chunks_(chunks_of(files, jobs_, toolchain_.fingerprint)) {}

    Result run() {
        result_.units = static_cast<unsigned>(chunks_.size());
        const std::string key = binary_key();
        const std::string binary = cache_.binary(key);
        if (Cache::use(binary)) {
            result_.cached = result_.units;
        } else if (!compile_all() || (!link(binary) && !made_anew(binary))) {
            return result_;
        }
        result_.ok = true;
        result_.binary = binary;
        return result_;
    }

    std::string binary_key() const {
        std::string keys;
        for (const Chunk& chunk : chunks_) keys += chunk.key + '\n';
        return base::sha256_hex_of({toolchain_.fingerprint, joined(toolchain_.link_flags), keys});
    }

  private:
    // The child writes only to `folder` of the work folder: other files are compiled beside it.
    Child child(std::vector<std::string> argv, const std::string& folder) const {
        const std::string own = work_->path() + "/" + folder;
        fs::create_directory(own);
        return {std::move(argv),
                work_->path(),
                settings_.memory_mb,
                settings_.seconds,
                sandboxed(settings_.sandbox),
                own,
                visible()};
    }

    std::vector<std::string> visible() const {
        std::vector<std::string> paths{toolchain_.folder, cache_.folder() + "/objects"};
        const fs::path home = fs::path(toolchain_.compiler).parent_path().parent_path();
        if (!toolchain_.compiler.starts_with("/usr/") && home.has_relative_path())
            paths.push_back(home.string());
        return paths;
    }

    bool compile_all() {
        work_ = std::make_unique<WorkFolder>(cache_);
        std::vector<std::size_t> missing;
        for (std::size_t i = 0; i < chunks_.size(); ++i) {
            if (Cache::use(cache_.object(chunks_[i].key))) {
                ++result_.cached;
            } else {
                missing.push_back(i);
            }
        }
        if (missing.empty()) return true;
        write_sources();
        // The one with most to do first, or it ends last and alone.
        std::stable_sort(missing.begin(), missing.end(), [this](std::size_t a, std::size_t b) {
            return chunks_[a].sources.size() > chunks_[b].sources.size();
        });
        const auto errors = compile_missing(missing);
        for (const auto& error : errors) result_.error += error;
        if (!result_.error.empty()) result_.stage = Stage::compile;
        return result_.error.empty();
    }

    void write_sources() const {
        for (const auto& [path, text] : files_) {
            if (!path.ends_with(".cpp") && !path.ends_with(".hpp")) continue;
            write_in_work_folder(path, text);
            for (const auto& name : embedded_by(files_, path)) {
                write_in_work_folder(name, files_.at(name));
            }
        }
        for (std::size_t i = 0; i < chunks_.size(); ++i) {
            std::string unity;
            for (const auto& source : chunks_[i].sources) unity += "#include \"" + source + "\"\n";
            write_file(fs::path(work_->path()) / (chunk(i) + ".cpp"), unity);
        }
    }

    void write_in_work_folder(const std::string& path, const std::string& text) const {
        const fs::path target = fs::path(work_->path()) / path;
        fs::create_directories(target.parent_path());
        write_file(target, text);
    }

    static std::string chunk(std::size_t index) { return "chunk_" + std::to_string(index); }

    std::vector<std::string> compile_missing(const std::vector<std::size_t>& missing) {
        std::vector<std::string> errors(chunks_.size());
        std::atomic<std::size_t> next{0};
        std::atomic<bool> failed{false};
        const auto work = [&] {
            for (auto i = next++; i < missing.size() && !failed; i = next++) {
                std::string& error = errors[missing[i]];
                error = compile_one(missing[i]);
                if (!error.empty()) failed = true;
            }
        };
        std::vector<std::jthread> workers;
        const auto others = std::min<std::size_t>(jobs_, missing.size()) - 1;
        for (std::size_t i = 0; i < others; ++i) workers.emplace_back(work);
        work();
        workers.clear();
        return errors;
    }

    // The error's text, empty if there was none.
    std::string compile_one(std::size_t index) const try {
        const std::string name = chunk(index), object = "of_" + name + "/" + name + ".o";
        std::vector<std::string> argv{toolchain_.compiler};
        argv.insert(argv.end(), toolchain_.compile_flags.begin(), toolchain_.compile_flags.end());
        for (const char* word : {"-fmax-errors=8", "-fno-diagnostics-show-caret", "-I", "."}) {
            argv.emplace_back(word);
        }
        argv.insert(argv.end(), {"-I", toolchain_.folder + "/include", "-include", "svc/pch.hpp"});
        argv.insert(argv.end(), {"-c", name + ".cpp", "-o", object});
        const Ended ended = build::run(child(std::move(argv), "of_" + name));
        if (!ended.ok) return failure_of(ended, "compiler");
        Cache::install(work_->path() + "/" + object, cache_.object(chunks_[index].key));
        return {};
    } catch (const std::exception& error) {
        return std::string(error.what()) + '\n';
    }

    bool link(const std::string& binary) {
        std::vector<std::string> argv{toolchain_.compiler, "-o", "linked/app"};
        for (const Chunk& chunk : chunks_) argv.push_back(cache_.object(chunk.key));
        argv.push_back(toolchain_.folder + "/libsvc_runtime.a");
        argv.insert(argv.end(), toolchain_.link_flags.begin(), toolchain_.link_flags.end());
        // Each thread of the linker reserves address space.
        argv.push_back("-Wl,--thread-count=" + std::to_string(std::min(jobs_, 8U)));
        const Ended ended = build::run(child(std::move(argv), "linked"));
        if (!ended.ok) {
            result_.stage = Stage::link;
            result_.error = failure_of(ended, "linker");
            return false;
        }
        Cache::to_disk(work_->path() + "/linked/app");
        Cache::install(work_->path() + "/linked/app", binary);
        cache_.sweep();
        return true;
    }

    // An object of the cache may be damaged: a disk that was full, a machine that lost its power.
    bool made_anew(const std::string& binary) {
        if (result_.cached == 0) return false;
        for (const Chunk& chunk : chunks_) fs::remove(cache_.object(chunk.key));
        result_ = {};
        result_.units = static_cast<unsigned>(chunks_.size());
        return compile_all() && link(binary);
    }

    std::string failure_of(const Ended& ended, const std::string& who) const {
        std::string text = mapped_to_contract(ended.output, files_);
        if (ended.timed_out || ended.signal == SIGXCPU) {
            text += "The " + who + " was stopped after " + std::to_string(settings_.seconds) +
                    " seconds.\n";
        } else if (text.empty() || ended.signal != 0) {
            text += "The " + who + " failed within its " + std::to_string(settings_.memory_mb) +
                    " MB of address space.\n";
        }
        return text;
    }

    const emit::FileSet& files_;
    const Settings& settings_;
    const Toolchain toolchain_;
    const Cache cache_;
    const unsigned jobs_;
    const std::vector<Chunk> chunks_;
    std::unique_ptr<WorkFolder> work_;
    Result result_;
};

}  // namespace

std::string binary_name(const emit::FileSet& files, const Settings& settings) {
    return Build(files, settings).binary_key();
}

Result compile(const emit::FileSet& files, const Settings& settings) {
    const auto started = std::chrono::steady_clock::now();
    Result result;
    try {
        result = Build(files, settings).run();
    } catch (const std::exception& error) {
        result.stage = Stage::compile;
        result.error = error.what();
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - started;
    result.seconds = taken.count();
    return result;
}

}  // namespace svc::build
