// Builds dist/: the code-split bundle by rolldown, the page by vite, the declarations by tsc, and the notices of all
// bundled packages.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { buildPage } from './build-page.mjs';
import { thirdPartyNotices } from './third-party-notices.mjs';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const entries = {
  index: 'src/index.ts',
  interfaces: 'src/tools/definition/interfaces.ts',
  providers: 'src/providers/client/author.ts',
  reader: 'src/runs/reading/thread.ts',
  placer: 'src/git/store/place-thread.ts',
};
const { peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** Entries for a browser: a bundle of its own, without Node. */
const browserEntries = { client: 'src/client/client.ts', react: 'src/client/react.ts' };
// A native module cannot be bundled; users install optional peers themselves. zod, the other entry of `dependencies`, is
// bundled: only the declarations need it.
const external = [/^node:/, '@ast-grep/napi', ...Object.keys(peerDependencies)];
// Its usual entry requires its parts through a parameter, which no bundler follows.
const alias = { 'jsonc-parser': join(root, 'node_modules/jsonc-parser/lib/esm/main.js') };
// string-width makes a segmenter when it is imported, and its tables take as long as half of Node's start.
const inject = { 'Intl.Segmenter': [join(root, 'src/text/lazy-segmenter.ts'), 'LazySegmenter'] };
const node = { platform: 'node', external, transform: { inject }, plugins: [lazyEmojiPattern()] };
// A sixth of the bytes, and 8 % of a review's own CPU less; functions keep their names, so that a stack under --debug is readable.
const mangle = { keepNames: true, toplevel: false };
const minify = { compress: true, mangle, codegen: { removeWhitespace: true } };

/** Modules of Node that few commands use. All of them take 20 ms, a seventh of a short command. */
const lateModules = {
  node_http: 'node:http',
  node_https: 'node:https',
  node_dns: 'node:dns',
  http2: 'http2',
};

rmSync(dist, { recursive: true, force: true });
const modules = [
  ...(await bundle(entries, node)),
  ...(await bundleAlone('src/cli/main.ts', 'main.cjs', { dynamicImportInCjs: true })),
  // `import()` does not work in a script that V8 kept compiled.
  ...(await bundleAlone('src/cli/command-line.ts', 'program/command-line.cjs', {
    dynamicImportInCjs: false,
  })),
  ...(await bundle(browserEntries, { platform: 'browser', external: [/^react(\/|$)/] })),
  ...(await buildPage(join(dist, 'web'))),
];
wrapScript(join(dist, 'program/command-line.cjs'));
writeFileSync(join(dist, 'THIRD_PARTY_NOTICES'), thirdPartyNotices(modules));
copyProfiles();
copyChecklists();
declarations();

/** Bundles entries, with chunks for what they share. @returns the ids of all bundled modules */
function bundle(named, options) {
  const input = Object.fromEntries(Object.entries(named).map(([name, path]) => [name, join(root, path)]));
  const chunkFileNames = 'chunks/[name]-[hash].js';
  return write({ input, ...options }, { dir: dist, format: 'esm', chunkFileNames, minify });
}

/** string-width makes its pattern of all emoji when it is imported, which takes as long as half of Node's start: now when it is first used. */
function lazyEmojiPattern() {
  return {
    name: 'lazy-emoji-pattern',
    transform: {
      filter: { id: /string-width\/index\.js$/ },
      handler(code) {
        const made = code.replace(
          /^const rgiEmojiRegex = (.+);$/m,
          'let madeEmoji;\nconst rgiEmoji = () => (madeEmoji ??= $1);',
        );
        const used = made.replaceAll('rgiEmojiRegex', 'rgiEmoji()');
        if (made === code || used === made)
          throw new Error('string-width no longer makes `rgiEmojiRegex`: change `lazyEmojiPattern`');
        return used;
      },
    },
  };
}

/**
 * Bundles an entry into one CommonJS file, strict as a module.
 * @returns the ids of all bundled modules
 */
function bundleAlone(entry, name, { dynamicImportInCjs }) {
  return write(
    { input: join(root, entry), ...node },
    {
      file: join(dist, name),
      codeSplitting: false,
      format: 'cjs',
      strict: true,
      dynamicImportInCjs,
      // `src/system/start-up/run-script.ts` reads ASCII.
      minify: { ...minify, codegen: { ...minify.codegen, asciiOnly: true } },
    },
  );
}

/** Lets the script load these modules when it first uses them: a bundle loads all of Node's modules at its start. */
function loadingLate(script) {
  return Object.entries(lateModules).reduce((before, [name, module]) => {
    const loaded = `${name}=require("${module}")`;
    const uses = new RegExp(`(?<![\\w$.])${name}(?![\\w$=:"])`, 'g');
    const isLate = ({ index }) => before[index + name.length] === '.';
    if (before.split(loaded).length !== 2 || ![...before.matchAll(uses)].every(isLate))
      throw new Error(`the bundle no longer loads ${module} as \`loadingLate\` expects`);
    return before.replaceAll(uses, `${name}()`).replace(loaded, `${name}=()=>require("${module}")`);
  }, script);
}

/** Wraps the script as `src/system/start-up/run-script.ts` runs it, and names its content, so that a start need not make the digest. */
function wrapScript(path) {
  const body = loadingLate(readFileSync(path, 'latin1'));
  const digest = createHash('sha256').update(body).digest('hex');
  writeFileSync(
    path,
    `// ${digest}\n(function (exports, require, module, __filename, __dirname) {${body}\n})`,
  );
}

async function write(input, options) {
  const build = await rolldown({ ...input, resolve: { alias }, onLog: failOnUnresolved });
  const { output } = await build.write(options);
  await build.close();
  failOnRelativeRequire(output);
  return output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
}

/** Copies the model profiles of the built-in providers next to the bundle. */
function copyProfiles() {
  const providers = join(root, 'src/providers');
  for (const name of readdirSync(providers)) {
    const from = join(providers, name, 'ai_profile');
    if (existsSync(from)) cpSync(from, join(dist, 'providers', name, 'ai_profile'), { recursive: true });
  }
}

/** Copies the checklists of reviews into the package: they are read as files. */
function copyChecklists() {
  cpSync(join(root, 'src/prompts/checklists'), join(dist, 'checklists'), { recursive: true });
}

/** An unresolved import would only fail on the user's machine. That the library needs more at once than the command is no fault. */
function failOnUnresolved(level, log, handle) {
  if (log.code === 'INEFFECTIVE_DYNAMIC_IMPORT') return;
  handle(log.code === 'UNRESOLVED_IMPORT' ? 'error' : level, log);
}

/** A part that no bundler saw would be missing on the user's machine. */
function failOnRelativeRequire(output) {
  for (const { fileName, code = '' } of output) {
    const [found] = /\brequire\(["']\.[^)]*\)/.exec(code) ?? [];
    if (found !== undefined) throw new Error(`${fileName} has ${found}, and that file is not in the bundle`);
  }
}

function declarations() {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.types.json')], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
