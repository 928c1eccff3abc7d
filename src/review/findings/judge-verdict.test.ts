import { expect, test } from 'vitest';
import type { EvidenceQuotation, FindingVerdict } from '../../parsers/answers/read-verdicts.ts';
import { parseUnifiedDiff } from '../../parsers/diff/parse-diff.ts';
import { judgeVerdict, type QuotableFiles } from './judge-verdict.ts';

const { files } = parseUnifiedDiff(`diff --git a/src/old.ts b/src/total.ts
rename from src/old.ts
rename to src/total.ts
--- a/src/old.ts
+++ b/src/total.ts
@@ -1,4 +1,5 @@
 const rate = 2;
-const gone = 1;
+const total = sum * rate;
+const shown = total;
 const rate = 2;
 end();
`);
const quotable: QuotableFiles = { files, load: async (file) => file };
const finding = { id: 'F1', path: 'src/total.ts', quote: 'const total = sum * rate;' };

function rejecting(...quotations: readonly EvidenceQuotation[]): FindingVerdict {
  return { word: 'reject', quotations, reason: 'It is whole.' };
}

function quotes(text: string, path: string | null = 'src/total.ts', startLine: number | null = null) {
  return { location: path === null ? null : { path, startLine, endLine: startLine }, text };
}

test('lines that exist reject a finding, at the place nearest to the claimed one', async () => {
  expect(
    await judgeVerdict(finding, rejecting(quotes('const rate = 2;', 'src/total.ts', 5)), quotable),
  ).toEqual({
    id: 'F1',
    verdict: 'rejected',
    evidence: 'It is whole.\nsrc/total.ts:4\nconst rate = 2;',
  });
});

test.each([
  ['copied with other spaces', quotes('const   shown = total')],
  ['named by the old path', quotes('const shown = total;', 'src/old.ts')],
  ['named by the end of the path', quotes('const shown = total;', 'total.ts')],
  ['without a path', quotes('const shown = total;', null)],
  ['as lines of a diff', quotes('+const total = sum * rate;\n+const shown = total;')],
])('a quotation %s is found', async (_what, quotation) => {
  expect(await judgeVerdict(finding, rejecting(quotation), quotable)).toMatchObject({ verdict: 'rejected' });
});

test.each([
  ['only the old side has', quotes('const gone = 1;'), 'its quotation is not in src/total.ts'],
  ['a part of a line', quotes('shown = total'), 'its quotation is not in src/total.ts'],
  [
    'the finding itself with other spaces',
    quotes('const total=sum*rate'),
    'quotes only the lines of the finding',
  ],
  ['another file', quotes('const rate = 2;', 'src/other.ts'), 'src/other.ts, which is not the finding'],
])('a quotation that is %s rejects nothing', async (_what, quotation, why) => {
  expect(await judgeVerdict(finding, rejecting(quotation), quotable)).toEqual({
    id: 'F1',
    verdict: 'disputed',
    evidence: expect.stringContaining(why),
  });
});

test('a quotation longer than twenty lines rejects nothing', async () => {
  const lines = Array.from({ length: 21 }, (_none, index) => `const line${index} = ${index};`);
  const added = lines.map((line) => `+${line}`).join('\n');
  const long = parseUnifiedDiff(`--- a/x.ts\n+++ b/x.ts\n@@ -0,0 +1,21 @@\n${added}\n`).files;
  const of = (count: number) =>
    judgeVerdict({ ...finding, path: 'x.ts' }, rejecting(quotes(lines.slice(0, count).join('\n'), 'x.ts')), {
      ...quotable,
      files: long,
    });
  expect(await of(20)).toMatchObject({ verdict: 'rejected' });
  expect(await of(21)).toMatchObject({
    verdict: 'disputed',
    evidence: expect.stringContaining('more than 20 lines'),
  });
});

test('one valid quotation is enough; faults of the others are listed only if none is valid', async () => {
  const invented = quotes('const invented = 1;');
  const own = quotes(finding.quote);
  expect(await judgeVerdict(finding, rejecting(invented, quotes('end();')), quotable)).toMatchObject({
    verdict: 'rejected',
    evidence: 'It is whole.\nsrc/total.ts:5\nend();',
  });
  expect(await judgeVerdict(finding, rejecting(invented, own), quotable)).toMatchObject({
    evidence:
      'its rejection does not hold: its quotation is not in src/total.ts; it quotes only the lines of the finding. It says: It is whole.',
  });
});

test('a finding without a file is not rejected by a quotation without one', async () => {
  const nowhere = { id: 'F1', path: null, quote: null };
  expect(await judgeVerdict(nowhere, rejecting(quotes('end();', null)), quotable)).toMatchObject({
    verdict: 'disputed',
    evidence: expect.stringContaining('does not say which file'),
  });
});

test('a file without available text rejects nothing', async () => {
  const unknown: QuotableFiles = { files, load: async () => null };
  expect(await judgeVerdict(finding, rejecting(quotes('end();')), unknown)).toMatchObject({
    verdict: 'disputed',
    evidence: expect.stringContaining('src/total.ts cannot be read'),
  });
});

test('a long reason is cut', async () => {
  const verdict = { word: 'confirm', quotations: [], reason: 'x'.repeat(2000) } as const;
  const { evidence } = await judgeVerdict(finding, verdict, quotable);
  expect(evidence).toHaveLength(1001);
});
