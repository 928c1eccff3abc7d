/** The optional files of `collab init`. Each finds collab by itself and explains its handling of the exit code. */
import { version } from '../../version.ts';

/** `pre-push` in the folder of git's hooks. */
export const prePushHook = `#!/bin/sh
# Written by collab init --pre-push: reviews each push. Findings at or above critical stop the push. A
# review that cannot run does not stop it, but prints a message. To push without a review: git push --no-verify
# It starts nothing from the repository: neither its packages nor its npm configuration decide which program runs.
around=$(pwd -P)
folder=$around
while [ -n "$folder" ]; do
  if [ -e "$folder/.git" ] && [ "$folder" != "$HOME" ]; then around=$folder; fi
  folder=\${folder%/*}
done

is_foreign() {
  case $1/ in
    "$around"/*) return 0 ;;
    *) return 1 ;;
  esac
}

trusted=
set -f
IFS=:
for folder in $PATH; do
  case $folder in
    /*) real=$(CDPATH='' cd -P "$folder" 2>/dev/null && pwd -P) || continue ;;
    *) continue ;;
  esac
  is_foreign "$real" || trusted=\${trusted:+$trusted:}$folder
done
unset IFS
set +f
PATH=$trusted

trusted_command() {
  found=$(command -v "$1") && real=$(readlink -f "$found") && ! is_foreign "$real" && echo "$found"
}

# npx reads the configuration of the folder in which it is started, and of the project around it.
downloaded_bundle() {
  npx=$(trusted_command npx) && private=$(mktemp -d) || return
  echo '{ "private": true }' >"$private/package.json"
  (cd "$private" && COLLAB_LOOKED_FOR=1 "$npx" --yes --workspaces=false codex-collab@${version} --version </dev/null) |
    sed -n 's/.*"bundle":"\\([^"]*\\)".*/\\1/p'
  rm -rf "$private"
}

if collab=$(trusted_command collab); then
  review() { "$collab" review "$@" </dev/null; }
else
  bundle=$(downloaded_bundle)
  if [ -z "$bundle" ] || is_foreign "$bundle"; then
    echo "collab: not reviewed: there is no collab outside of this repository (npm install --global codex-collab)" >&2
    exit 0
  fi
  review() { node "$bundle" review "$@" </dev/null; }
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
      echo "collab: $local_ref is not pushed: fix the findings above, or use git push --no-verify" >&2
      exit 1
      ;;
    129 | 130 | 143) exit "$code" ;;
    *) echo "collab: $local_ref not reviewed (exit $code); it is pushed anyway" >&2 ;;
  esac
done
exit 0
`;

/** `.claude/hooks/collab-stop.mjs` */
export const stopHook = `// Written by collab init --stop-hook: reviews the changes when Claude Code wants to stop. Critical findings send it
// back to work, at most three times for one prompt, and not twice for the same ones. After that, and if a review
// cannot run, Claude stops with a message to the user.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path';

const isWindows = process.platform === 'win32';
const around = outermostRepository();

const mostRounds = 3;

const { stop_hook_active: wasSentBack, session_id: session } = JSON.parse(readFileSync(0, 'utf8'));
const notes = join(stateFolder(), createHash('sha256').update(String(session)).digest('hex'));
const { rounds, findings: earlier } = wasSentBack === true ? readNotes() : { rounds: 0, findings: '' };
if (rounds < mostRounds) review();
else end('not reviewed again for this prompt; to see what is left: collab review');

function review() {
  const { status, stdout, stderr, error } = collab(['review', '--lead', 'none', '--fail-on', 'critical', '--format', 'json']);
  if (status === 0) return end();
  if (status === 1) {
    const { run_id: run, findings } = JSON.parse(stdout);
    const critical = findings.filter(({ severity }) => severity === 'critical').map(({ identity }) => identity);
    const found = critical.toSorted().join();
    if (found === earlier) return end(\`Claude stops with the findings of the last round: collab show \${run}\`);
    const order = collab(['show', run, '--as-prompt']);
    note({ rounds: rounds + 1, findings: found });
    return say({ decision: 'block', reason: order.stdout });
  }
  const why = (error?.message ?? stderr.trim().split('\\n').at(-1)) || 'see collab status';
  end(\`not reviewed (exit \${status ?? 'none'}): \${why}\`);
}

/** Nothing of the project is started: neither its packages nor its npm configuration decide what runs. */
function collab(args) {
  // No user can be asked here. Without CLAUDECODE it stays in the foreground to the end; its own limits apply.
  const { CLAUDECODE: _, ...inherited } = process.env;
  const folders = trustedFolders();
  const kept = Object.entries(inherited).filter(([name]) => name.toUpperCase() !== 'PATH');
  // Without this variable, cmd.exe searches the current folder first.
  const env = { ...Object.fromEntries(kept), PATH: folders.join(delimiter), NoDefaultCurrentDirectoryInExePath: '1' };
  const options = { env, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024, stdio: ['ignore', 'pipe', 'pipe'] };
  const name = isWindows ? 'collab.cmd' : 'collab';
  const isThere = folders.some((folder) => existsSync(join(folder, name)));
  return isThere ? spawnSync('collab', args, { ...options, shell: isWindows }) : throughNpx(args, options);
}

/** npx reads the configuration of the folder in which it is started, and of the project around it. */
function throughNpx(args, options) {
  const cwd = mkdtempSync(join(tmpdir(), 'collab-hook-'));
  try {
    writeFileSync(join(cwd, 'package.json'), '{ "private": true }');
    const env = { ...options.env, COLLAB_LOOKED_FOR: '1' };
    const words = ['--yes', '--workspaces=false', 'codex-collab@${version}', '--version'];
    const { stdout } = spawnSync('npx', words, { ...options, env, cwd, shell: isWindows });
    const { bundle } = JSON.parse(stdout);
    if (isForeign(bundle)) throw new Error(bundle);
    return spawnSync(process.execPath, [bundle, ...args], options);
  } catch {
    return { status: null, error: new Error('there is no collab outside this project') };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** Returns the folders of PATH outside of the project, without those whose programs are links into it. */
function trustedFolders() {
  const programs = ['', 'collab', 'npx'];
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !programs.some((name) => isForeign(join(folder, name))));
}

function isForeign(path) {
  try {
    return (realpathSync(path) + sep).startsWith(around + sep);
  } catch {
    return false; // It is not there.
  }
}

function outermostRepository() {
  let found = realpathSync(process.cwd());
  for (let folder = found; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, '.git')) && folder !== homedir()) found = folder;
  }
  return found;
}

/** It belongs to the user, and the project cannot write it. */
function stateFolder() {
  const named = process.env.XDG_STATE_HOME ?? '';
  return join(isAbsolute(named) ? named : join(homedir(), '.local', 'state'), 'collab', 'stop-hook');
}

function note(round) {
  try {
    mkdirSync(dirname(notes), { recursive: true, mode: 0o700 });
    writeFileSync(notes, JSON.stringify(round), { mode: 0o600 });
  } catch {
    // Without notes, the next stop is the last one.
  }
}

/** Without notes the bound could not be kept: no more rounds. */
function readNotes() {
  try {
    const { rounds, findings } = JSON.parse(readFileSync(notes, 'utf8'));
    return { rounds: Number(rounds) || mostRounds, findings };
  } catch {
    return { rounds: mostRounds, findings: '' };
  }
}

function end(message) {
  try {
    rmSync(notes, { force: true });
  } catch {
    // The next prompt starts from zero in any case.
  }
  if (message !== undefined) say({ systemMessage: \`collab: \${message}\` });
}

function say(answer) {
  process.stdout.write(JSON.stringify(answer));
}
`;
