# shellcheck shell=bash
# What the generator makes of each sample, the JSON Schema of contracts, and what it says to contracts with
# one mistake each. Review the difference before it is committed.

goldens() {
  local folder name file made
  for folder in "$ROOT"/samples/*/; do
    name=$(basename "$folder")
    "$BIN/svcgen" emit "${folder}svc.json" "$ROOT/generated/$name" || fail "samples/$name could not be emitted."
    say "generated/$name"
  done
  made=$(mktemp -d)
  "$BIN/svcgen" emit "$ROOT/tests/golden/flows/svc.json" "$made" || fail "tests/golden/flows does not emit."
  for file in flows.sql flows.cpp client/schema.ts; do
    install -D -m 644 "$made/$file" "$ROOT/tests/golden/flows/$file"
  done
  rm -r "$made"
  say "tests/golden/flows"
  "$BIN/svcgen" schema >"$ROOT/docs/svc.schema.json"
  say "docs/svc.schema.json"
  SVC_TEST_DATABASE_URL=$SVC_DATABASE_URL "$BIN/svc_mistakes" "$ROOT/tests/golden/errors" --write ||
    fail "tests/golden/errors could not be written."
  say "tests/golden/errors"
}
