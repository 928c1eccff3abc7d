/** Fault 1.18: paths that lead out of the repository, from a diff or a model, in reports for hosts and people. */
import { join } from 'node:path';
import { stringify } from 'yaml';
import { test } from '../packed/place.ts';

const patient = { timeout: 120_000 };
const formats = ['json', 'markdown', 'sarif', 'rdjson', 'github', 'gitlab'] as const;

const names = [
  '../../etc/passwd',
  '/etc/passwd',
  'a/../../b.js',
  './../b.js',
  '..\\..\\windows\\system.ini',
  'C:\\windows\\system.ini',
  '\\\\host\\share\\x.js',
  'file:///etc/passwd',
  '~/.ssh/id_ed25519',
  'a/./../../../b.js',
  '%2e%2e/%2e%2e/b.js',
  '..',
];

function diffOf(name: string): string {
  return `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1 +1,2 @@\n export const a = 1;\n+export const b = eval(a);\n`;
}

test.for(names)(
  '%s of a diff does not lead out of the repository in any report',
  patient,
  async (name, { place, expect }) => {
    place.git('init', '-q');
    place.write('the.diff', diffOf(name));
    const reports = formats.flatMap((format) => ['--report', `${format}=out/${format}`]);
    const { code, stderr } = await place.collab([
      'review',
      'the.diff',
      '--advisor',
      'static_review',
      ...reports,
    ]);
    expect([name, code === null, stderr.includes('bug in collab')]).toEqual([name, false, false]);
    if (code === 2) return expect(stderr).toMatch(/path|name/);
    for (const format of ['sarif', 'rdjson', 'gitlab', 'github'] as const) {
      expect([format, waysOut(place.read(join('out', format)))]).toEqual([format, []]);
    }
  },
);

test(
  'an outside path that a model names is not the place of a finding',
  patient,
  async ({ place, expect }) => {
    place.git('init', '-q');
    place.write('the.diff', diffOf('a.js'));
    for (const name of names) {
      const answer = `[RESPONSE:REVIEW]\n\n## STRENGTHS\n- x\n\n## ISSUES\n${issue(name)}\n\n## SUGGESTIONS\nNone\n`;
      place.write(
        'script.yaml',
        stringify({ agent: { name: 'Codex' }, turns: [{ answer, repeat: 'forever' }] }),
      );
      const reports = formats.flatMap((format) => ['--report', `${format}=out/${format}`]);
      const { code } = await place.collab([
        'review',
        'the.diff',
        '--no-cache',
        '--advisor',
        'rehearsal:script.yaml',
        ...reports,
      ]);
      expect([name, code]).toEqual([name, 1]);
      for (const format of ['sarif', 'rdjson', 'gitlab', 'github'] as const) {
        expect([name, format, waysOut(place.read(join('out', format)))]).toEqual([name, format, []]);
      }
    }
  },
);

function issue(name: string): string {
  return `### Critical\n\n1. Leads out\n   \`${name}:1\`\n\n   \`\`\`\n   export const b = eval(a);\n   \`\`\`\n\n   Why: it does.\n`;
}

/** The values of places in a report that lead out of the repository. */
function waysOut(report: string): readonly string[] {
  const places = [...report.matchAll(/(?:"(?:uri|path|file|name)": ?"|^::\w+ file=)([^",\n]*)/gm)].map(
    ([, value = '']) => value,
  );
  return places.filter(
    (value) => /^(?:\/|\\|[a-z]:|~)|(?:^|[\\/])\.\.(?:[\\/]|$)/i.test(value) && value !== '/',
  );
}
