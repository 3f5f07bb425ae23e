# shellcheck shell=bash
# What the generator makes of each sample, and what its golden cases expect.

goldens() {
  local folder name
  for folder in "$ROOT"/samples/*/; do
    name=$(basename "$folder")
    "$BIN/svcgen" emit "$folder/svc.json" "$ROOT/generated/$name" || fail "samples/$name does not emit."
    say "generated/$name"
  done
  for folder in "$ROOT"/tests/golden/*/; do
    [[ ! -e $folder/svc.json ]] || golden_case "$folder"
  done
}

# A case is expected/ where its contract is sound, errors.txt where it is not.
golden_case() {
  local folder=${1%/} output
  if output=$(cd "$folder" && NO_COLOR=1 "$BIN/svcgen" check svc.json 2>&1); then
    rm -f "$folder/errors.txt"
    "$BIN/svcgen" emit "$folder/svc.json" "$folder/expected"
  else
    rm -rf "$folder/expected"
    printf '%s\n' "$output" >"$folder/errors.txt"
  fi
  say "tests/golden/$(basename "$folder")"
}
