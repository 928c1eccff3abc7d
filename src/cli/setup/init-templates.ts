/** The optional files of `collab init`. Each finds collab by itself and explains its handling of the exit code. */
import { version } from '../../version.ts';

/** `.github/workflows/collab.yml` */
export const ciWorkflow = `# Written by collab init --ci: Codex reviews every pull request.
# It needs the secret CODEX_API_KEY. A pull request from a fork gets no secrets: there the step ends with 4, "not reviewed".
name: collab
on: pull_request

permissions:
  contents: read

jobs:
  review:
    runs-on: ubuntu-latest
    timeout-minutes: 60
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0 # the review needs the merge base
          persist-credentials: false
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - run: npm install --global @openai/codex codex-collab@${version}
      - name: Review
        env:
          BASE: \${{ github.base_ref }}
          CODEX_API_KEY: \${{ secrets.CODEX_API_KEY }}
        run: >-
          collab review --base "origin/$BASE" --fail-on critical
          --report json="$RUNNER_TEMP/review.json"
      - name: Show the review
        if: always()
        run: collab report "$RUNNER_TEMP/review.json" --format github
      - name: Only a model's review counts
        run: collab gate "$RUNNER_TEMP/review.json" --fail-on critical --require model
`;

/** `pre-push` in the folder of git's hooks. */
export const prePushHook = `#!/bin/sh
# Written by collab init --pre-push: reviews what is about to be pushed. Findings at or above critical stop the push; what
# could not be reviewed does not, but is said. To push without a review: git push --no-verify
if command -v collab >/dev/null 2>&1; then
  review() { collab review "$@" </dev/null; }
else
  review() { npx --yes codex-collab@${version} review "$@" </dev/null; }
fi

remote=$1
while read -r local_ref local_id remote_ref remote_id; do
  case $local_id in
    *[!0]*) ;;
    *) continue ;; # a branch is removed: nothing to review
  esac
  case $remote_id in
    *[!0]*) base=$remote_id ;;
    *) base=$(git rev-parse --quiet --verify "refs/remotes/$remote/HEAD") || {
      echo "collab: $local_ref not reviewed: the default branch of $remote is not known (git remote set-head $remote --auto)" >&2
      continue
    } ;;
  esac
  review "$base...$local_id" --fail-on critical
  code=$?
  case $code in
    0) ;;
    1)
      echo "collab: $local_ref is not pushed: mend what is listed above, or git push --no-verify" >&2
      exit 1
      ;;
    129 | 130 | 143) exit "$code" ;;
    *) echo "collab: $local_ref not reviewed (exit $code); it is pushed all the same" >&2 ;;
  esac
done
exit 0
`;

/** `.claude/hooks/collab-stop.mjs` */
export const stopHook = `// Written by collab init --stop-hook: when Claude Code wants to stop, what it changed is reviewed. Findings at or above
// critical send it back to work, once; what could not be reviewed stops nothing, but is said.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { stop_hook_active: alreadySentBack } = JSON.parse(readFileSync(0, 'utf8'));
if (alreadySentBack !== true) review();

function review() {
  const { status, stdout, stderr, error } = collab(['review', '--lead', 'none', '--fail-on', 'critical', '--format', 'json']);
  if (status === 0) return;
  if (status === 1) {
    const order = collab(['show', JSON.parse(stdout).run_id, '--as-prompt']);
    return say({ decision: 'block', reason: order.stdout });
  }
  const why = (error?.message ?? stderr.trim().split('\\n').at(-1)) || 'see collab status';
  say({ systemMessage: \`collab: not reviewed (exit \${status ?? 'none'}): \${why}\` });
}

function collab(args) {
  // Nobody is there to be asked back. Without CLAUDECODE it stays in the foreground to the end; its own limits hold.
  const { CLAUDECODE: _, ...env } = process.env;
  const shell = process.platform === 'win32';
  const options = { env, shell, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024, stdio: ['ignore', 'pipe', 'pipe'] };
  const found = spawnSync('collab', args, options);
  if (found.error?.code !== 'ENOENT') return found;
  return spawnSync('npx', ['--yes', 'codex-collab@${version}', ...args], options);
}

function say(answer) {
  process.stdout.write(JSON.stringify(answer));
}
`;

/** The entry for the hook in `.claude/settings.json`. */
export const stopHookSettings = `{
  "hooks": {
    "Stop": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "node \\"$CLAUDE_PROJECT_DIR/.claude/hooks/collab-stop.mjs\\"",
            "timeout": 3600
          }
        ]
      }
    ]
  }
}
`;
