// A user with the real Codex whose model is the scripted upstream, and a diff to review.
import { fork } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from './bundle.mjs';
import { leftOut, repository } from './programs.mjs';

export async function createWorld(answer) {
  const upstream = await startUpstream(answer);
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'collab-bench-world-')));
  const folder = (...parts) => {
    mkdirSync(join(root, ...parts), { recursive: true });
    return join(root, ...parts);
  };
  const codexHome = folder('home', '.codex');
  writeFileSync(join(codexHome, 'config.toml'), configOf(upstream.url));
  const program = nativeCodex();
  const env = {
    HOME: folder('home'),
    PATH: `${join(program, '..')}:/usr/bin:/bin`,
    SCRIPTED_KEY: 'sk-scripted',
    LANG: 'C.UTF-8',
  };
  return {
    root,
    env,
    upstream,
    /** The documented way to run it for a review: read-only, events as JSON lines, the prompt on standard input. */
    codexExec: [program, 'exec', '--json', '--skip-git-repo-check', '-s', 'read-only', '-'],
    empty: folder('empty'),
    close() {
      upstream.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function startUpstream(answer) {
  const child = fork(await bundle(join(import.meta.dirname, 'upstream-process.mjs')), [answer]);
  leftOut.add(child.pid);
  const told = () => new Promise((resolve) => child.once('message', resolve));
  const { url } = await told();
  return {
    url,
    /** `{ requests, prompts, arrivals }` so far; arrivals in Unix milliseconds. */
    look() {
      const answered = told();
      child.send('look');
      return answered;
    },
    /** The model's thinking time before each answer. */
    think(thinksMs) {
      const answered = told();
      child.send({ thinksMs });
      return answered;
    },
    close: () => child.kill(),
  };
}

/** The npm launcher would be one more Node process. */
function nativeCodex() {
  const packages = join(repository, 'test/agents/node_modules/@openai');
  const vendor = join(packages, `codex-${process.platform}-${process.arch}`, 'vendor');
  if (!existsSync(vendor)) throw new Error('the real codex is not installed: run `npm run test:agents` once');
  const [target] = readdirSync(vendor);
  return join(vendor, target, 'bin', process.platform === 'win32' ? 'codex.exe' : 'codex');
}

function configOf(url) {
  return `model = "gpt-5.5"
model_provider = "scripted"

[model_providers.scripted]
name = "scripted"
base_url = "${url}"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
requires_openai_auth = false
`;
}
