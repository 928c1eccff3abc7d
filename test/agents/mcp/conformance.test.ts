/**
 * The protocol's own conformance suite against the MCP route of the installed `collab serve`. `unmet.json` lists each
 * check that does not succeed, with the reason; one more or one less fails.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { test } from '../../packed/place.ts';
import { project } from '../../packed/run-project.ts';
import { serve } from '../../packed/serve/served.ts';
import { change } from '../../fixtures/review-answers.ts';
import { openSuiteTools, type RealCallOf } from './suite-tools.ts';

const pinned = join(import.meta.dirname, 'conformance/node_modules');
const suite = join(pinned, '@modelcontextprotocol/conformance/dist/index.js');

const revisions = ['2025-11-25', '2026-07-28'] as const;

const unmetSchema = z.record(
  z.enum(revisions),
  z.strictObject({
    /** The scenarios of which every check succeeds. */
    met: z.array(z.string()),
    /** Each check as `<scenario>:<check>`. */
    unmet: z.array(z.strictObject({ why: z.string(), checks: z.array(z.string()) })),
  }),
);
const known = unmetSchema.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, 'conformance/unmet.json'), 'utf8')),
);

test(
  'each scenario of the suite passes, or is listed with its reason',
  { timeout: 400_000 },
  async ({ place, expect }) => {
    project(place);
    place.write('scripts/slow.yaml', 'turns: [{ repeat: forever, delay_ms: 600000, answer: none }]\n');
    const { url } = await serve(place, ['--advisor', 'static_review']);
    const tools = await openSuiteTools(`${url}/api/tenants/local/mcp`, realCall);
    try {
      for (const revision of revisions) {
        const { met, unmet } = known[revision];
        const found = await runSuite(tools.url, revision);
        const checks = unmet.flatMap((group) => group.checks);
        expect([revision, ...found.unmet]).toEqual([revision, ...checks.toSorted()]);
        expect([revision, ...found.met]).toEqual([revision, ...met.toSorted()]);
      }
    } finally {
      tools.close();
    }
  },
);

/** A review by rules ends soon, a rehearsed one not before it is canceled. */
const realCall: RealCallOf = (name, args) => {
  switch (name) {
    case 'greet':
      return { name: 'status', arguments: { wait_seconds: 0 } };
    case 'test_error_handling':
      return { name: 'status', arguments: { run: 'nowhere' } };
    case 'slow_compute': {
      const advisor = Number(args['seconds']) >= 5 ? 'rehearsal:scripts/slow.yaml' : 'static_review';
      return { name: 'review', arguments: { diff: change, effort: 'quick', advisor } };
    }
    default:
      return null;
  }
};

const checksSchema = z.array(z.looseObject({ id: z.string(), status: z.string() }));

async function runSuite(url: string, revision: string) {
  const output = mkdtempSync(join(tmpdir(), 'collab-conformance-'));
  try {
    const flags = ['--url', url, '--requirements', revision, '--output-dir', output, '--timeout', '120000'];
    await execa(nodeForSuite(), [suite, 'server', ...flags], { reject: false, timeout: 190_000 });
    const scenarios = readdirSync(output).map((folder) => ({
      name: folder.replace(/^server-(.*)-\d{4}-\d\d-\d\dT[\d-]+Z$/, '$1'),
      checks: checksSchema.parse(JSON.parse(readFileSync(join(output, folder, 'checks.json'), 'utf8'))),
    }));
    const failed = scenarios.map(({ name, checks }) => {
      const bad = checks.filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO');
      return { name, bad: bad.map(({ id }) => `${name}:${id}`) };
    });
    return {
      met: failed.flatMap(({ name, bad }) => (bad.length === 0 ? [name] : [])).toSorted(),
      unmet: [...new Set(failed.flatMap(({ bad }) => bad))].toSorted(),
    };
  } finally {
    rmSync(output, { recursive: true });
  }
}

/** The suite needs Node 22. */
function nodeForSuite(): string {
  if (Number(process.versions.node.split('.', 1)[0]) >= 22) return process.execPath;
  return join(pinned, `node-${process.platform}-${process.arch}/bin/node`);
}
