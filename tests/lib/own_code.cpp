// A plugin of clang-tidy: checks walk through the project's own code alone, as in an editor
// (clangd). Without it they walk through all headers of the system in each unit, which takes three
// quarters of the time, and whose findings nobody sees.
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/FrontendPluginRegistry.h>

#include <memory>
#include <string>
#include <vector>

namespace {

class OwnCode : public clang::ASTConsumer {
  public:
    void HandleTranslationUnit(clang::ASTContext& context) override {
        const clang::SourceManager& sources = context.getSourceManager();
        std::vector<clang::Decl*> own;
        for (clang::Decl* each : context.getTranslationUnitDecl()->decls()) {
            if (!sources.isInSystemHeader(each->getLocation())) own.push_back(each);
        }
        context.setTraversalScope(own);
    }
};

// Before the consumer of clang-tidy.
class Action : public clang::PluginASTAction {
    std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& /*compiler*/,
                                                          llvm::StringRef /*file*/) override {
        return std::make_unique<OwnCode>();
    }
    bool ParseArgs(const clang::CompilerInstance& /*compiler*/,
                   const std::vector<std::string>& /*arguments*/) override {
        return true;
    }
    ActionType getActionType() override { return AddBeforeMainAction; }
};

const clang::FrontendPluginRegistry::Add<Action> kAdded("own-code", "the project's own code alone");

}  // namespace
