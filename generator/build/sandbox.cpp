#include "build/sandbox.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "build/process.hpp"

namespace svc::build {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBubblewrap = "/usr/bin/bwrap";
constexpr const char* kSetpriv = "/usr/bin/setpriv";
constexpr const char* kPrlimit = "/usr/bin/prlimit";
// The user of a program if we are root. Nobody else has its number, so the limit of processes
// counts only that program, and it owns nothing on this machine. Threads count too.
struct Identity {
    unsigned user;
    const char* processes;
};
constexpr Identity kCompiler{64999, "128"}, kNode{64997, "512"}, kBrowser{64998, "2048"};
// The files of the machine that a browser reads: its own settings, fonts, names, certificates.
constexpr const char* kOfBrowsers[] = {"/etc/chromium", "/etc/chromium.d",  "/etc/fonts",
                                       "/etc/hosts",    "/etc/resolv.conf", "/etc/ssl"};
constexpr const char* kTmpBytes = "268435456";  // it lies in memory

const Identity& identity(const Child& child) {
    return child.kind == ProgramKind::browser ? kBrowser
           : child.kind == ProgramKind::node  ? kNode
                                              : kCompiler;
}

bool root() { return ::geteuid() == 0; }

void add(std::vector<std::string>& argv, std::initializer_list<std::string> words) {
    argv.insert(argv.end(), words);
}

// The folders above it are made too; bubblewrap's own would be root's alone.
void show(std::vector<std::string>& argv, const char* how, const std::string& path) {
    std::string above;
    for (const auto& part : fs::path(path).parent_path().relative_path()) {
        above += "/" + part.string();
        add(argv, {"--perms", "0755", "--dir", above});
    }
    add(argv, {how, path, path});
}

// /bin, /lib and the like: links into /usr on a system of today.
void show_system(std::vector<std::string>& argv) {
    show(argv, "--ro-bind", "/usr");
    for (const char* folder : {"/bin", "/sbin", "/lib", "/lib32", "/lib64"}) {
        std::error_code none;
        if (fs::is_symlink(folder))
            add(argv, {"--symlink", fs::read_symlink(folder, none).string(), folder});
        else if (fs::is_directory(folder))
            show(argv, "--ro-bind", folder);
    }
    // Debian's names of compilers lead through it.
    show(argv, "--ro-bind-try", "/etc/alternatives");
    show(argv, "--dev-bind", "/dev/null");
    add(argv, {"--perms", "1777", "--size", kTmpBytes, "--tmpfs", "/tmp"});
}

void show_to_browser(std::vector<std::string>& argv) {
    for (const char* path : kOfBrowsers) show(argv, "--ro-bind-try", path);
    add(argv, {"--dev", "/dev", "--proc", "/proc"});
}

void leave_everything(std::vector<std::string>& argv, bool browser) {
    add(argv, {"--die-with-parent", "--new-session", "--unshare-ipc", "--unshare-pid",
               "--unshare-uts", "--unshare-cgroup-try", "--cap-drop", "ALL"});
    if (!browser) argv.emplace_back("--unshare-net");
    if (root())
        add(argv, {"--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"});  // to become another
    else
        argv.emplace_back("--unshare-user");
    // A browser shuts in its pages by user namespaces of its own.
    if (!root() && !browser) argv.emplace_back("--disable-userns");
}

std::string find_trouble() {
    for (const char* program : {kBubblewrap, kSetpriv, kPrlimit})
        if (::access(program, X_OK) != 0) return std::string(program) + " is not installed";
    Child probe{{"/usr/bin/true"}, "/usr", 512, 10};
    probe.sandbox = true;
    const Ended ended = run(probe);
    if (ended.ok) return {};
    return ended.output.empty() ? "bubblewrap fails"
                                : ended.output.substr(0, ended.output.find('\n'));
}

[[noreturn]] void fail(const std::string& path) {
    throw std::system_error(errno, std::generic_category(), path);
}

}  // namespace

Sandbox sandbox_of(const std::string& wish) {
    if (wish.empty() || wish == "auto") return Sandbox::automatic;
    if (wish == "required") return Sandbox::required;
    if (wish == "off") return Sandbox::off;
    throw std::invalid_argument("SVC_SANDBOX is '" + wish + "', but takes auto, required or off.");
}

const std::string& sandbox_trouble() {
    static const std::string trouble = find_trouble();
    return trouble;
}

bool sandboxed(Sandbox wish) {
    if (wish == Sandbox::off) return false;
    if (sandbox_trouble().empty()) return true;
    if (wish == Sandbox::automatic) return false;
    throw std::runtime_error("SVC_SANDBOX is required, but compilers cannot run in a sandbox: " +
                             sandbox_trouble() + ".");
}

std::vector<std::string> in_sandbox(const Child& child) {
    std::vector<std::string> argv{kBubblewrap};
    const bool browser = child.kind == ProgramKind::browser;
    leave_everything(argv, browser);
    show_system(argv);
    if (browser) show_to_browser(argv);
    for (const auto& path : child.readable) show(argv, "--ro-bind", path);
    show(argv, "--ro-bind", child.folder);
    if (!child.writable.empty()) show(argv, "--bind", child.writable);
    add(argv, {"--chdir", child.folder});
    if (root()) {
        const std::string user = std::to_string(identity(child).user);
        add(argv, {kSetpriv, "--reuid", user, "--regid", user, "--clear-groups", "--no-new-privs"});
    }
    // Inside, where the kernel counts the processes of this sandbox alone.
    add(argv, {kPrlimit, std::string("--nproc=") + identity(child).processes, "--"});
    argv.insert(argv.end(), child.argv.begin(), child.argv.end());
    return argv;
}

void open_for_sandbox(const Child& child) {
    if (!root()) return;
    // Made by mkdtemp: for its maker alone.
    if (child.folder != "/usr" && ::chmod(child.folder.c_str(), 0755) != 0) fail(child.folder);
    if (child.writable.empty()) return;
    const unsigned user = identity(child).user;
    if (::lchown(child.writable.c_str(), user, user) != 0) fail(child.writable);
    for (const auto& entry : fs::recursive_directory_iterator(child.writable))
        if (::lchown(entry.path().c_str(), user, user) != 0) fail(entry.path());
}

}  // namespace svc::build
