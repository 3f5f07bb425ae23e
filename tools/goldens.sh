# shellcheck shell=bash
# What the generator makes of each sample, the JSON Schema of contracts, and what it says to contracts with
# one mistake each. Review the difference before it is committed.

goldens() {
  local folder name
  for folder in "$ROOT"/samples/*/; do
    name=$(basename "$folder")
    "$BIN/svcgen" emit "${folder}svc.json" "$ROOT/generated/$name" || fail "samples/$name does not emit."
    say "generated/$name"
  done
  "$BIN/svcgen" schema >"$ROOT/docs/svc.schema.json"
  say "docs/svc.schema.json"
  for folder in "$ROOT"/tests/golden/errors/*/; do
    golden_errors "$folder"
  done
}

golden_errors() {
  local folder=$1 status=0
  (cd "$folder" && "$BIN/svcgen" check --colour never svc.json 2>errors.txt >/dev/null) || status=$?
  ((status <= 1)) || fail "svcgen ended with $status in $folder."
  say "tests/golden/errors/$(basename "$folder")"
}
