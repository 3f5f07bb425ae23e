# shellcheck shell=bash
# Helpers of ./run. Progress goes to standard error, so that a command's own output stays clean.

say() { printf '%s\n' "$*" >&2; }

fail() {
  printf './run: %s\n' "$1" >&2
  exit "${2:-1}"
}

# quietly <what> <log> <command...>: one line with the seconds that it takes; its output only where it
# fails.
quietly() {
  local what=$1 log=$2 start=$SECONDS pid
  shift 2
  mkdir -p "$(dirname "$log")"
  "$@" >"$log" 2>&1 </dev/null &
  pid=$!
  if [[ ! -t 2 ]]; then
    say "$what …"
  else
    while kill -0 "$pid" 2>/dev/null; do
      printf '\r%s … %d s' "$what" $((SECONDS - start)) >&2
      sleep 0.1
    done
    printf '\r\033[K' >&2
  fi
  if ! wait "$pid"; then
    tail -n 40 "$log" >&2
    fail "$what failed; all of its output is in $log"
  fi
  say "$what: done in $((SECONDS - start)) s"
}

# json_text <key>: the first text with this key in the JSON on standard input; nothing where there is
# none.
json_text() {
  tr -d '\n' | { grep -oE "\"$1\" *: *\"[^\"]*\"" || true; } | sed -nE '1s/^"[^"]*" *: *"(.*)"$/\1/p'
}
