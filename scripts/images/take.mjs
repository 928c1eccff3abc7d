// Takes the images of references/images from the real program in tmux and the real page in Chromium, or says which of them are
// older than what they show: node scripts/images/take.mjs [--check] [image…]. Needs dist/, tmux and a Chromium.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { parse } from 'yaml';
import { findChromium } from '../find-chromium.mjs';
import { terminalPage } from './ansi.mjs';
import { pageScenes, scenes, terminalScenes } from './scenes.mjs';

const root = join(import.meta.dirname, '../..');
const images = join(root, 'references/images');
const manifest = join(images, 'sources.json');
const collab = join(root, 'bin/collab');
const names = process.argv.slice(2).filter((word) => !word.startsWith('--'));

if (process.argv.includes('--check')) check();
else await takeAll();

/** Exits with 1 if an image is older than what it shows. */
function check() {
  const known = JSON.parse(readFileSync(manifest, 'utf8'));
  const old = scenes.filter((scene) => known[scene.image] !== digestOf(scene));
  for (const { image } of old) process.stdout.write(`older than what it shows: references/images/${image}\n`);
  if (old.length > 0) process.stdout.write('node scripts/images/take.mjs takes them again\n');
  process.exitCode = old.length > 0 ? 1 : 0;
}

/** @returns the digest of all sources that an image shows, without their tests */
function digestOf({ sources }) {
  const hash = createHash('sha256');
  for (const file of sources.flatMap(filesBelow).filter((path) => !/\.test(-helper)?\.tsx?$/.test(path)))
    hash.update(relative(root, file)).update(readFileSync(file));
  return hash.digest('hex');
}

function filesBelow(path) {
  const whole = join(root, path);
  if (statSync(whole).isFile()) return [whole];
  return readdirSync(whole, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

async function takeAll() {
  const base = mkdtempSync(join(tmpdir(), 'collab-images-'));
  const folders = { example: join(base, 'example'), demo: join(base, 'demo') };
  const browser = await chromium.launch({
    executablePath: findChromium(),
    chromiumSandbox: process.getuid?.() !== 0,
  });
  try {
    prepareExample(folders.example);
    prepareDemo(folders.demo);
    for (const scene of terminalScenes.filter(wanted)) await takeTerminal(browser, folders, scene);
    if (pageScenes.some(wanted)) await takePages(browser, folders.example, pageScenes.filter(wanted));
    const known = names.length === 0 ? {} : JSON.parse(readFileSync(manifest, 'utf8'));
    const taken = scenes.filter(wanted).map((scene) => [scene.image, digestOf(scene)]);
    writeFileSync(manifest, `${JSON.stringify({ ...known, ...Object.fromEntries(taken) }, null, 2)}\n`);
  } finally {
    await browser.close();
    rmSync(base, { recursive: true, force: true });
  }
}

function wanted({ image }) {
  return names.length === 0 || names.includes(image);
}

function prepareExample(folder) {
  mkdirSync(folder);
  for (const name of ['checkout.diff', 'rehearsal.yaml'])
    cpSync(join(root, 'examples', name), join(folder, name));
  writeFileSync(
    join(folder, 'slow.yaml'),
    'agent: { name: Codex, model: rehearsed }\nturns:\n  - fault: never\n',
  );
  begin(folder, ['--allow-empty']);
}

function prepareDemo(folder) {
  const script = join(root, 'examples/demo.yaml');
  const { project } = parse(readFileSync(script, 'utf8'));
  for (const [path, content] of Object.entries(project.files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  begin(folder, ['--all']);
  cpSync(script, join(folder, 'demo.yaml'));
  writeFileSync(join(folder, '.git/info/exclude'), 'demo.yaml\n.collab\n');
}

/** A repository with one commit. */
function begin(cwd, flags) {
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=images', '-c', 'user.email=images@localhost', ...args], { cwd });
  git('init', '-q');
  if (flags.includes('--all')) git('add', '--all');
  git('commit', '-q', '-m', 'base', ...flags);
}

async function takeTerminal(browser, folders, scene) {
  const { image, project = 'example', commands, steps = [], until = 'left with', rows } = scene;
  // A server of its own: the one of the scene before may still be ending.
  const tmux = (...args) =>
    execFileSync('tmux', ['-L', `collab-images-${image}`, '-f', '/dev/null', ...args], { encoding: 'utf8' });
  const line = commands
    .map((args) => `'${process.execPath}' '${collab}' ${args.map(quoted).join(' ')}`)
    .join('; ');
  const run = `cd '${folders[project]}'; env -u TMUX TERM=xterm-256color sh -c "${line.replaceAll('"', '\\"')}"; echo left with; sleep 60`;
  tmux('new-session', '-d', '-x', '100', '-y', String(rows), run);
  try {
    const screen = () => tmux('capture-pane', '-p');
    for (const [text, ...keys] of steps) {
      await see(screen, text, image);
      tmux('send-keys', ...keys);
    }
    await see(screen, until, image);
    const text = tmux('capture-pane', '-p', '-e')
      .replace(/left with\s*$/, '')
      .trimEnd();
    const page = await browser.newPage({ deviceScaleFactor: 1.25 });
    const [font = ''] = filesBelow('node_modules/@fontsource-variable/jetbrains-mono/files').filter((path) =>
      path.endsWith('latin-wght-normal.woff2'),
    );
    await page.setContent(
      terminalPage(text, `data:font/woff2;base64,${readFileSync(font).toString('base64')}`),
    );
    await page.evaluate(async () => document.fonts.ready);
    await page.locator('pre').screenshot({ path: join(images, image) });
    await page.close();
  } finally {
    end(() => tmux('kill-server'));
  }
}

function quoted(word) {
  return /\s/.test(word) ? `'${word}'` : word;
}

/** A server whose last window is closed has ended by itself. */
function end(stop) {
  try {
    stop();
  } catch {
    // It is gone.
  }
}

async function see(screen, text, image) {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    if (screen().includes(text)) return;
    await wait(100);
  }
  throw new Error(`${image}: the terminal does not show "${text}":\n${screen()}`);
}

async function takePages(browser, folder, shown) {
  const server = spawn(
    process.execPath,
    [collab, 'serve', '--port', '0', '--json', '--advisor', 'rehearsal:rehearsal.yaml'],
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  try {
    const [line] = await new Promise((resolve) =>
      server.stdout.once('data', (chunk) => resolve(String(chunk).split('\n'))),
    );
    const { url } = JSON.parse(line);
    await review(url, 'tidy', 'examples/harmless.diff');
    const run = await review(url, 'shop', 'examples/checkout.diff');
    for (const { image, address, theme, waitFor } of shown) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: theme });
      await page.goto(`${url}/${address.replace('RUN', run)}`);
      await page.locator(waitFor).first().waitFor();
      await page.evaluate(async () => document.fonts.ready);
      await page.screenshot({ path: join(images, image) });
      await page.close();
    }
  } finally {
    server.kill();
  }
}

/** @returns the id of a review that has ended */
async function review(url, conversation, diff) {
  const runs = `${url}/api/tenants/local/conversations/${conversation}/runs`;
  const body = JSON.stringify({ kind: 'review', input: { diff: readFileSync(join(root, diff), 'utf8') } });
  const response = await fetch(runs, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const { run_id: run } = await response.json();
  await (await fetch(`${runs}/${run}/events`)).text();
  return run;
}
