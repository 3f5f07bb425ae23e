// SQLSTATEs: their names, and what they say about a failure. This is the only place that knows
// them. identity/sql_state.cpp says which code a caller gets. Source: PostgreSQL's manual, appendix
// A; the SV states are raised by the functions of runtime-support/schema and the triggers of an
// app.
#pragma once

#include <string_view>

namespace svc::base::sqlstate {

inline constexpr std::string_view kConnectionRefused = "08001";
inline constexpr std::string_view kConnectionLost = "08006";
inline constexpr std::string_view kNotSupported = "0A000";
inline constexpr std::string_view kTooManyRows = "21000";  // where one was meant
inline constexpr std::string_view kTextTooLong = "22001";
inline constexpr std::string_view kOutOfRange = "22003";
inline constexpr std::string_view kBadMoment = "22007";
inline constexpr std::string_view kMomentOutOfRange = "22008";
inline constexpr std::string_view kBadCharacter = "22021";
inline constexpr std::string_view kBadParameter = "22023";
inline constexpr std::string_view kBadText = "22P02";      // it is no value of the type
inline constexpr std::string_view kNoCharacter = "22P05";  // U+0000 in JSON
inline constexpr std::string_view kNull = "23502";
inline constexpr std::string_view kReference = "23503";
inline constexpr std::string_view kTaken = "23505";
inline constexpr std::string_view kCheck = "23514";
inline constexpr std::string_view kReadOnly = "25006";
inline constexpr std::string_view kNoStatement = "26000";
inline constexpr std::string_view kNoCursor = "34000";
inline constexpr std::string_view kNotSerializable = "40001";
inline constexpr std::string_view kDeadlock = "40P01";
inline constexpr std::string_view kForbidden = "42501";
inline constexpr std::string_view kSyntax = "42601";
inline constexpr std::string_view kNoColumn = "42703";
inline constexpr std::string_view kOtherType = "42804";
inline constexpr std::string_view kNoFunction = "42883";
inline constexpr std::string_view kNoTable = "42P01";
inline constexpr std::string_view kNoUniqueKey = "42P10";
inline constexpr std::string_view kOutOfMemory = "53200";
inline constexpr std::string_view kTooManyConnections = "53300";
inline constexpr std::string_view kOverLimit = "53400";
inline constexpr std::string_view kTooLarge = "54000";
inline constexpr std::string_view kTooComplex = "54001";
inline constexpr std::string_view kTooManyParams = "54023";
inline constexpr std::string_view kLocked = "55P03";
inline constexpr std::string_view kCanceled = "57014";  // took longer than it may, as a rule
inline constexpr std::string_view kRaised = "P0001";
inline constexpr std::string_view kInternal = "XX000";

inline constexpr std::string_view kAnsweredBefore = "SV208";  // by the same Idempotency-Key
inline constexpr std::string_view kWaits = "SV303";   // a function, for what it asked of others
inline constexpr std::string_view kMisfit = "SV400";  // input that does not fit; detail: JSON
inline constexpr std::string_view kSessionEnded = "SV401";
inline constexpr std::string_view kRowForbidden = "SV403";
inline constexpr std::string_view kNotFound = "SV404";
inline constexpr std::string_view kTransition = "SV409";
inline constexpr std::string_view kGone = "SV410";  // a kept cursor, or what a key was kept for
inline constexpr std::string_view kStale = "SV412";
inline constexpr std::string_view kRule = "SV422";
inline constexpr std::string_view kKeyInUse = "SV425";  // the pool's caller says it, not PostgreSQL
inline constexpr std::string_view kFieldForbidden = "SV432";

// Functions and workflows (schema/run/starts.sql, schema/run/steps.sql, schema/run/advance.sql).
inline constexpr std::string_view kActorGone = "SVGON";     // the account that a run acts for
inline constexpr std::string_view kNoStepRow = "SVNOF";     // none that the step may change
inline constexpr std::string_view kFlowTooLarge = "SVBIG";  // a loop, a message, what it holds
inline constexpr std::string_view kCallDepth = "SVDEP";
// To call a function, or to say that an order was paid.
inline constexpr std::string_view kMayNot = "SVSET";

// Payments (schema/payments.sql, and the triggers of an order's lines).
inline constexpr std::string_view kNoOrderTable = "SVNAO";
inline constexpr std::string_view kNoOrder = "SVNOR";
inline constexpr std::string_view kPaid = "SVPAI";
inline constexpr std::string_view kPaymentProcessing = "SVPRO";
inline constexpr std::string_view kPaymentMismatch = "SVMIS";  // other lines than at the checkout
inline constexpr std::string_view kPaymentsMisfit = "SVBAD";   // the contract's, with its tables
inline constexpr std::string_view kBadLines = "SVLIN";  // they have no amount that can be paid
inline constexpr std::string_view kNothingDue = "SVDUE";

// There is no connection, or it has ended.
bool is_lost(std::string_view state);
// Another transaction changed or holds what this one needs, and PostgreSQL has rolled this one
// back: the same may be tried again.
bool is_busy(std::string_view state);
// The same statement may succeed later without a change: there was no connection, another
// transaction was in the way, or the machine lacked resources or had a fault (its disk). A limit
// that the statement itself exceeds does not pass.
bool is_passing(std::string_view state);
// A value that does not fit its type caused the failure. Such messages quote the value.
bool is_of_data(std::string_view state);
// The same, or a value that its column refuses, or one beyond a limit of PostgreSQL.
bool is_of_value(std::string_view state);
// The statement exceeds a limit of PostgreSQL: it is too complex, too deep or too large.
bool is_of_limit(std::string_view state);
// The text of a statement caused the failure, or the amount that it asks for.
bool is_of_statement(std::string_view state);
// The statement failed before it began: its syntax, a name in it, a right to what it names.
bool is_of_names(std::string_view state);
// Rows break a constraint.
bool is_of_constraint(std::string_view state);
// The database or its machine is at fault, or svc lacks a right, so no other request would help.
// Also true for an error without a state.
bool is_of_machine(std::string_view state);
// One of svc's own.
bool is_ours(std::string_view state);

}  // namespace svc::base::sqlstate
