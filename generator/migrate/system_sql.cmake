# The schema of every app's database, compiled into the generator: svc::migrate::embedded("system.sql") and the other
# files (kSystemFiles in system_sql.hpp says their order).
file(GLOB_RECURSE SYSTEM_SQL CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/../../runtime-support/schema/*.sql)
set(EMBED ${CMAKE_CURRENT_LIST_DIR}/../../cmake/embed.cmake)
add_custom_command(
  OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/system_sql.cpp
  COMMAND ${CMAKE_COMMAND} -DOUT=${CMAKE_CURRENT_BINARY_DIR}/system_sql.cpp
          -DHEADER=migrate/system_sql.hpp -DNAMESPACE=svc::migrate "-DFILES=${SYSTEM_SQL}" -P ${EMBED}
  DEPENDS ${SYSTEM_SQL} ${EMBED}
  VERBATIM)
target_sources(svc_generator PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/system_sql.cpp)
