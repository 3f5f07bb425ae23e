# Writes ${TOOLCHAIN}/fingerprint: one hash of the compiler's version, headers, library and flags. The
# precompiled header is left out: it follows from these, and its bytes differ from run to run.
execute_process(COMMAND ${COMPILER} --version OUTPUT_VARIABLE version COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE files RELATIVE ${TOOLCHAIN} ${TOOLCHAIN}/include/*.hpp)
list(APPEND files libsvc_runtime.a compile.flags link.flags)
list(SORT files)
set(text "${version}")
foreach(file ${files})
  file(SHA256 ${TOOLCHAIN}/${file} digest)
  string(APPEND text "${file} ${digest}\n")
endforeach()
string(SHA256 fingerprint "${text}")
file(WRITE ${TOOLCHAIN}/fingerprint "${fingerprint}")
