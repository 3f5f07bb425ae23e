# shellcheck shell=bash
# The shop sample, live: starts the service on a data folder of its own, applies the contract through the
# client, and prints what to try. A second run goes on with the same data.

DEMO_EMAIL=owner@example.test
DEMO_LISTEN=${SVC_LISTEN:-127.0.0.1:7878}
DEMO_ORIGIN=http://$DEMO_LISTEN

demo() {
  demo_folders
  case ${1:-} in
    '') demo_up && demo_guide && demo_hold ;;
    --detach) demo_up && demo_guide && say "" && say "Stop it with ./run demo --stop" ;;
    --stop) demo_stop ;;
    *) fail "demo takes --detach or --stop, not \"$1\"." 2 ;;
  esac
}

demo_folders() {
  DEMO_HOME=${SVC_HOME:-$(data_folder "$BUILD/demo" /var/lib/svc-demo)}
  DEMO_NOTES=$DEMO_HOME/demo  # what the demo itself remembers
  mkdir -p "$DEMO_NOTES/shop"
  chmod 700 "$DEMO_NOTES"
  DEMO_HOME=$(cd "$DEMO_HOME" && pwd)
  DEMO_NOTES=$DEMO_HOME/demo
  export SVC_CONFIG=$DEMO_NOTES/config.json SVC_API=$DEMO_ORIGIN/dev/v1
  unset SVC_TOKEN SVC_PROJECT
}

# --- the service ------------------------------------------------------------------------------------

demo_pid() {
  local pid
  pid=$(cat "$DEMO_NOTES/svcd.pid" 2>/dev/null) || return 1
  # The number alone might be another program's by now.
  [[ $(readlink "/proc/$pid/exe" 2>/dev/null) == "$BIN/svcd"* ]] && echo "$pid"
}

# A program that was just started is a copy of this shell for a moment: it is known by its number alone.
demo_runs() {
  if [[ -n $DEMO_STARTED ]]; then kill -0 "$DEMO_STARTED" 2>/dev/null; else demo_pid >/dev/null; fi
}

demo_ready() { curl -fsS -m 2 -o /dev/null "$DEMO_ORIGIN/readyz" 2>/dev/null; }

demo_keep() { (umask 077 && cat >"$1"); }

demo_password() {
  local file=$DEMO_NOTES/owner-password
  [[ -s $file ]] || head -c 18 /dev/urandom | base64 | tr '+/' '-_' | demo_keep "$file"
  cat "$file"
}

demo_up() {
  DEMO_STARTED=
  if ! demo_pid >/dev/null; then
    demo_start
  fi
  demo_wait
  demo_sign_in
  demo_project
  demo_keys
  say "Applying samples/shop/svc.json"
  (cd "$ROOT" && "$BIN/svc" apply samples/shop/svc.json --project "$DEMO_PROJECT" >&2) || demo_give_up
}

demo_start() {
  ! demo_ready || fail "Another program answers at $DEMO_ORIGIN. Choose another address: SVC_LISTEN=127.0.0.1:7900 ./run demo"
  # A session of its own: Ctrl-C reaches this script, which then ends the service in order.
  SVC_HOME=$DEMO_HOME SVC_LISTEN=$DEMO_LISTEN SVC_OWNER_EMAIL=$DEMO_EMAIL \
    SVC_OWNER_PASSWORD=$(demo_password) \
    setsid "$BIN/svcd" >>"$DEMO_NOTES/svcd.log" 2>&1 </dev/null &
  DEMO_STARTED=$!
  echo "$DEMO_STARTED" >"$DEMO_NOTES/svcd.pid"
  trap demo_interrupted INT TERM
}

demo_wait() {
  local start=$SECONDS
  until demo_ready; do
    demo_runs || demo_give_up "The service ended."
    ((SECONDS - start < 90)) || demo_give_up "The service is not ready after 90 seconds."
    [[ ! -t 2 ]] || printf '\rStarting the service … %d s' $((SECONDS - start)) >&2
    sleep 0.1
  done
  [[ ! -t 2 ]] || printf '\r\033[K' >&2
  say "The service is ready: $DEMO_ORIGIN"
}

demo_give_up() {
  [[ -z ${1:-} ]] || say "$1"
  say "The last lines of $DEMO_NOTES/svcd.log:"
  tail -n 20 "$DEMO_NOTES/svcd.log" >&2
  [[ -z $DEMO_STARTED ]] || demo_stop
  exit 1
}

demo_interrupted() {
  trap - INT TERM
  say ""
  demo_stop
  exit 130
}

demo_stop() {
  local pid
  pid=$(demo_pid) || { say "The demo is not running." && return 0; }
  rm -f "$DEMO_NOTES/svcd.pid"  # tells a demo in the foreground that this is meant
  kill -TERM "$pid"
  while [[ -e /proc/$pid/exe ]]; do sleep 0.1; done
  say "The demo has stopped. Its data stays in $DEMO_HOME."
}

# Until Ctrl-C, or until the service ends by itself.
demo_hold() {
  say ""
  if [[ -z $DEMO_STARTED ]]; then
    say "The demo was already running. Stop it with ./run demo --stop"
    return
  fi
  say "Press Ctrl-C to stop everything."
  wait "$DEMO_STARTED" || true
  [[ -e $DEMO_NOTES/svcd.pid ]] || exit 0
  demo_give_up "The service ended."
}

# --- account, project, keys -------------------------------------------------------------------------

demo_sign_in() {
  "$BIN/svc" whoami >/dev/null 2>&1 ||
    demo_password | "$BIN/svc" login --email "$DEMO_EMAIL" --password - >&2 || demo_give_up
}

demo_project() {
  local link=$DEMO_NOTES/shop/.svc/project.json
  if [[ ! -e $link ]]; then
    (cd "$DEMO_NOTES/shop" && "$BIN/svc" create "Corner Shop" >&2) || demo_give_up
  fi
  DEMO_PROJECT=$(json_text project <"$link")
}

# Their values are shown once, when they are made.
demo_keys() {
  local session
  [[ ! -s $DEMO_NOTES/server-key ]] || return 0
  session=$(printf '{"email":"%s","password":"%s"}' "$DEMO_EMAIL" "$(demo_password)" |
    curl -sS --json @- "$SVC_API/session" | json_text token)
  [[ -n $session ]] || demo_give_up "The owner cannot sign in."
  demo_key "$session" browser '["*"]'
  demo_key "$session" server '[]'
  curl -sS -o /dev/null -X DELETE -H "Authorization: Bearer $session" "$SVC_API/session"
}

demo_key() {
  local session=$1 kind=$2 origins=$3 answer key
  answer=$(curl -sS -H "Authorization: Bearer $session" "$SVC_API/projects/$DEMO_PROJECT/keys" \
    --json "{\"name\":\"demo $kind\",\"kind\":\"$kind\",\"origins\":$origins,\"tools\":null,\"models\":null}")
  key=$(json_text key <<<"$answer")
  [[ -n $key ]] || demo_give_up "No $kind key: $answer"
  demo_keep "$DEMO_NOTES/$kind-key" <<<"$key"
}

# Where a browser finds the app's pages.
demo_pages() { "$BIN/svc" status --json --project "$DEMO_PROJECT" | json_text url; }

# --- what to try ------------------------------------------------------------------------------------

demo_guide() {
  local browser_key server_key
  browser_key=$(cat "$DEMO_NOTES/browser-key")
  server_key=$(cat "$DEMO_NOTES/server-key")
  cat <<TEXT

Corner Shop is live. Open it in a browser:

  as a guest   $(demo_pages)/
  as others    in another shell, with the client below: ./run svc sign-in kim@example.test

  API          $DEMO_ORIGIN/preview/$DEMO_PROJECT/__svc
  developers   $SVC_API
  owner        $DEMO_EMAIL  password $(demo_password)
  project      $DEMO_PROJECT
  browser key  $browser_key
  server key   $server_key
  data         $DEMO_HOME

Paste this into another shell:

$(demo_lines "$browser_key")

The client: export SVC_API=$SVC_API SVC_CONFIG=$SVC_CONFIG SVC_PROJECT=$DEMO_PROJECT
            ./run svc query order
            ./run svc sign-in         whom it can sign in; with a name, a link that does
TEXT
}

demo_lines() {
  cat <<TEXT
app=$DEMO_ORIGIN/preview/$DEMO_PROJECT/__svc
shop() { curl -sS -H 'Authorization: Bearer $1' -H 'x-svc-data-api: 1' -H 'Origin: $DEMO_ORIGIN' "\$@"; echo; }
first() { sed -E 's/.*"'\$1'" *: *"([^"]*)".*/\1/'; }

# What a guest sees
shop \$app/api/v1/product
tea=\$(shop "\$app/api/v1/product?limit=1" | first id)

# Sign up; the rest is done as this customer
session=\$(shop --json '{"email": "buyer-$(date +%s)@example.test", "password": "a long password"}' \$app/auth/signup | first token)
buyer() { shop -H "x-svc-app-session: \$session" "\$@"; }

# An order; more than is in stock is refused, by the database itself
order=\$(buyer --json '{"note": "A gift, please wrap it"}' \$app/api/v1/order | first id)
buyer --json '{"order_id": "'\$order'", "product_id": "'\$tea'", "quantity": 500}' \$app/api/v1/order_line
buyer --json '{"order_id": "'\$order'", "product_id": "'\$tea'", "quantity": 2}' \$app/api/v1/order_line

# Place it
buyer -X PATCH --json '{"transition": "place"}' \$app/api/v1/order/\$order/transition
TEXT
}
