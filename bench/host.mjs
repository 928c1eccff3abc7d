// Measures the first command of the skill as a host starts it: by a command on PATH, by a raw clone of the plugin, and through npx.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { heading, interleave, mean, medianOf, ms, ratio, row, runsFrom } from './measure.mjs';
import { plainEnvironment, repository, runProgram } from './programs.mjs';

const runs = runsFrom(process.argv, 9);
const folder = mkdtempSync(join(tmpdir(), 'collab-bench-host-'));
const { name, version, ...manifest } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
const registry = await serveRegistry(pack());
try {
  const nodeOnly = [dirname(process.execPath), '/usr/bin', '/bin'].join(':');
  const installed = place('installed');
  const env = {
    ...plainEnvironment(),
    ...networkSettings(),
    PATH: nodeOnly,
    HOME: place('home'),
    npm_config_cache: place('cache'),
    npm_config_registry: registry.url,
  };
  await runProgram(['npm', 'install', '--global', '--prefix', installed, `${name}@${version}`], { env });
  const clone = join(folder, 'clone');
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', repository, clone]);
  const onPath = { ...env, PATH: `${join(installed, 'bin')}:${nodeOnly}` };
  // A review without a model: everything but the work of an agent.
  const words = ['review', join(repository, 'examples/checkout.diff'), '--advisor', 'static_review'];
  const cwd = place('project');
  const started = (file, first, environment) => () =>
    runProgram([file, ...first, ...words], { cwd, env: environment, code: 1 });
  const candidates = {
    'collab on PATH': started(join(installed, 'bin/collab'), [], onPath),
    'a raw clone, collab on PATH': started(join(clone, 'bin/collab'), [], onPath),
    'a raw clone, only npx': started(join(clone, 'bin/collab'), [], env),
    [`npx ${name}@${version}`]: started('npx', ['--yes', `${name}@${version}`], env),
  };
  const first = await candidates['a raw clone, only npx']();
  const figures = await interleave(candidates, runs);
  heading(`the first command in a host; Node ${process.versions.node}, ${runs} interleaved runs`);
  const least = medianOf(figures['collab on PATH'], 'wallMs');
  for (const [label, own] of Object.entries(figures)) {
    const wall = medianOf(own, 'wallMs');
    row(label, ms(wall), `CPU ${ms(mean(own.map(({ cpuMs }) => cpuMs)))}`, ratio(wall / least));
  }
  row('a raw clone, only npx: the download', ms(first.wallMs));
} finally {
  registry.close();
  rmSync(folder, { recursive: true, force: true });
}

/** How npm reaches its registry from here. */
function networkSettings() {
  const names = /^(?:node_extra_ca_certs|ssl_cert_file|https?_proxy|no_proxy)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([variable]) => names.test(variable)));
}

function place(folderName) {
  const made = join(folder, folderName);
  mkdirSync(made);
  return made;
}

/** @returns the bytes of the package as npm would publish it */
function pack() {
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: repository,
      encoding: 'utf8',
    }),
  );
  return readFileSync(join(folder, filename));
}

/** A registry on loopback that has this package; for all others it refers to the one that npm uses here. */
async function serveRegistry(tarball) {
  const upstream = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  const server = createServer(({ url = '/' }, response) => {
    if (url === '/package.tgz') return response.end(tarball);
    if (url !== `/${name}`) return response.writeHead(307, { location: upstream + url.slice(1) }).end();
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    const dist = { tarball: `${address(server)}package.tgz`, integrity };
    const versions = { [version]: { ...manifest, name, version, dist } };
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
  });
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { url: address(server), close: () => server.close() };
}

function address(server) {
  return `http://127.0.0.1:${server.address().port}/`;
}
