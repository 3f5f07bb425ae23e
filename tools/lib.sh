# shellcheck shell=bash
# Helpers of ./run. Progress goes to standard error, so that a command's own output stays clean.

say() { printf '%s\n' "$*" >&2; }

fail() {
  printf './run: %s\n' "$1" >&2
  exit "${2:-1}"
}

# quietly <what> <log> <command...>: on a terminal one line with the seconds that it takes and the last
# line of the log; its whole output only where it fails. What takes less than two seconds leaves no trace.
quietly() {
  local what=$1 log=$2 start=$SECONDS pid
  shift 2
  mkdir -p "$(dirname "$log")"
  : >"$log"  # show_progress may read it before the command below has begun
  "$@" >"$log" 2>&1 </dev/null &
  pid=$!
  show_progress "$what" "$log" "$pid"
  if ! wait "$pid"; then
    tail -n 60 "$log" >&2
    fail "$what failed; all of its output is in $log"
  fi
  ((SECONDS - start < 2)) || say "$what: $((SECONDS - start)) s"
}

# Without a terminal a line every half minute: enough for a log. A look ten times a second takes a twentieth of a
# processor, so a long command is looked at less often.
show_progress() {
  local what=$1 log=$2 pid=$3 start=$SECONDS told=0 line pause=0.1 width=${COLUMNS:-80}
  while kill -0 "$pid" 2>/dev/null; do
    if [[ -t 2 ]] && ((SECONDS > start)); then
      line=$(progress_line "$what" "$log" "$start")
      printf '\r\033[K%s' "${line:0:width-1}" >&2
    elif [[ ! -t 2 ]] && ((SECONDS - start >= told + 30)); then
      told=$((SECONDS - start))
      say "$(progress_line "$what" "$log" "$start")"
    fi
    ((SECONDS - start < 5)) || pause=0.5
    sleep "$pause"
  done
  [[ ! -t 2 ]] || printf '\r\033[K' >&2
}

progress_line() { printf '%s … %d s  %s' "$1" "$((SECONDS - $3))" "$(tail -n 1 "$2" | tr -d '\r\n')"; }

# json_text <key>: the first text with this key in the JSON on standard input; nothing where there is
# none.
json_text() {
  tr -d '\n' | { grep -oE "\"$1\" *: *\"[^\"]*\"" || true; } | sed -nE '1s/^"[^"]*" *: *"(.*)"$/\1/p'
}

# data_folder <usual> <other>: the usual one, unless root runs the service there and PostgreSQL, which
# never runs as root, could not enter it.
data_folder() {
  local above
  above=$(dirname "$1")
  if ((EUID == 0)) && ! runuser -u postgres -- test -x "$above" 2>/dev/null; then
    printf '%s\n' "$2"
  else
    printf '%s\n' "$1"
  fi
}
