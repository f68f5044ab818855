# The parts of `.ci/run` and `.ci/nightly`: each runs steps and suites, and its last line is the number of tests and checks
# that passed and failed.
export CLOUDFLARE_CF_FETCH_ENABLED=false WRANGLER_SEND_METRICS=false WRANGLER_HIDE_BANNER=true WRANGLER_LOG_PATH=.wrangler/logs
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
failed=0
passed=0
failed_steps=()
missing=()
seconds_of=()
# When a suite counts as one that hangs: a test of the browser may take five minutes, others two (vitest.config.ts), but a file that
# waits while it is imported, or for a command, has no bound of its own. Vitest may not end after its report
# (test/forks.ts has a reason).
step_seconds=600
suite_seconds=1800
seconds_without_progress=420
seconds_after_report=60

# timed NAME COMMAND...: prints its name and keeps its seconds for the report.
timed() {
  local name=$1 start=$SECONDS code
  shift
  printf '\n== %s\n' "$name"
  "$@"
  code=$?
  seconds_of+=("$(printf '%5d s  %s' $((SECONDS - start)) "$name")")
  return "$code"
}

# step NAME COMMAND...: counts as one test.
step() {
  local name=$1
  shift
  if timed "$name" timeout "$step_seconds" "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); failed_steps+=("$name"); fi
}

# suite NAME COMMAND...: counts the tests in vitest's report. A suite that hangs is ended, and what it had not finished is named.
suite() { timed "$1" run_suite "$@"; }

run_suite() {
  local name=$1 report="$results/$1.json" start=$SECONDS reported=0 changed=0 now
  export UNFINISHED="$results/$1.unfinished"
  shift
  touch "$UNFINISHED"
  setsid "$@" --reporter=default --reporter=./.ci/unfinished.js --reporter=json --outputFile.json="$report" &
  local tests=$! code counts
  while sleep 1 && kill -0 "$tests" 2>/dev/null; do
    now=$(date +%s)
    changed=$(stat -c %Y "$UNFINISHED")
    if [ "$reported" -eq 0 ] && [ -s "$report" ]; then reported=$now; fi
    if [ "$reported" -gt 0 ] && [ $((now - reported)) -ge "$seconds_after_report" ]; then
      stop_suite "$name" "$tests" "vitest runs $seconds_after_report s after its report"
    elif [ "$reported" -eq 0 ] && [ $((now - changed)) -ge "$seconds_without_progress" ]; then
      stop_suite "$name" "$tests" "no test has begun or ended for $seconds_without_progress s"
    elif [ $((SECONDS - start)) -ge "$suite_seconds" ]; then
      stop_suite "$name" "$tests" "it runs for $suite_seconds s"
    fi
  done
  wait "$tests"
  code=$?
  counts=$(node -e 'const r = require(process.argv[1]); console.log(r.numPassedTests, r.numTotalTests - r.numPassedTests - r.numPendingTests - r.numTodoTests)' "$report" 2>/dev/null) || counts="0 1"
  read -r ok bad <<<"$counts"
  if [ "$code" -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; fi
  passed=$((passed + ok))
  failed=$((failed + bad))
}

stop_suite() { # stop_suite NAME SESSION REASON
  failed_steps+=("$1: ended, because $3")
  printf '== %s is ended, because %s. What has not finished:\n' "$1" "$3"
  cat "$UNFINISHED"
  ps -o pid,ppid,stat,etime,time,args --forest -s "$2"
  pkill -TERM -s "$2"
  sleep 5
  pkill -KILL -s "$2"
  sleep 1
}

# Installs what the tests need and the machine lacks, by apt.
install_programs() {
  local program packages=()
  for program in chromium chromium-headless-shell curl python3; do
    command -v "$program" >/dev/null || packages+=("$program")
  done
  command -v zbarimg >/dev/null || packages+=(zbar-tools)
  # The font that stands in for that of the pages (dashboard/src/styles.css). Debian only recommends it with Chromium.
  fc-list : family 2>/dev/null | grep -q "Liberation Sans" || packages+=(fonts-liberation)
  [ ${#packages[@]} -eq 0 ] && return
  timeout "$step_seconds" apt-get update -qq && timeout "$step_seconds" apt-get install -y -qq "${packages[@]}" >/dev/null ||
    echo "could not be installed: ${packages[*]}"
}

report() {
  local line
  printf '\n'
  for line in "${seconds_of[@]}"; do printf '%s\n' "$line"; done
  for line in "${missing[@]}"; do printf '== skipped: %s could not be installed\n' "$line"; done
  for line in "${failed_steps[@]}"; do printf '== failed: %s\n' "$line"; done
  [ "$failed" -eq 0 ] || node .ci/failures.js "$results"/*.json
  printf '%s passed, %s failed\n' "$passed" "$failed"
  [ "$failed" -eq 0 ]
}
