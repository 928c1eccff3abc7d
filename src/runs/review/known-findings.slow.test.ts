import { expect, test } from 'vitest';
import { checkLaws } from '../../events/laws.ts';
import { rehearse, settledResult, smallDiff, wholeAnswer } from '../rehearsed-review.test-helper.ts';

function answerWith(...quotes: readonly string[]): string {
  const issues = quotes.map(
    (quote, index) =>
      `### Critical\n1. **Fault ${index + 1}** — \`src/total.ts:1\`\n   \`\`\`\n   ${quote}\n   \`\`\`\n   Why: wrong.\n   Fix: mend it.`,
  );
  return wholeAnswer.replace('None', issues.join('\n\n'));
}

const rounding = 'const total = Math.round(subtotal(items));';
const returning = 'return total;';

async function reviewed(quotes: readonly string[]) {
  const review = await rehearse({ turns: [{ answer: answerWith(...quotes) }] });
  return settledResult(await review.drive());
}

test('findings of the baseline stay listed and do not count: only a new one fails the review', async () => {
  const baseline = await reviewed([rounding]);
  expect(baseline).toMatchObject({ outcome: 'findings', exit_code: 1 });

  const same = await rehearse({ turns: [{ answer: answerWith(rounding) }], baseline });
  expect(settledResult(await same.drive())).toMatchObject({
    outcome: 'clean',
    exit_code: 0,
    findings: [{ title: 'Fault 1', baseline: true }],
    baseline: { run_id: baseline.run_id, new: 0, still_there: 1, fixed: [], not_looked_at: [] },
  });
  expect(same.journal()).toContainEqual(
    expect.objectContaining({
      type: 'finding.reported',
      finding: expect.objectContaining({ baseline: true }),
    }),
  );
  expect(checkLaws(same.journal())).toEqual([]);

  const more = await rehearse({ turns: [{ answer: answerWith(rounding, returning) }], baseline });
  const result = settledResult(await more.drive());
  expect(result).toMatchObject({ outcome: 'findings', exit_code: 1, baseline: { new: 1, still_there: 1 } });
  expect(result.reasons[0]).toBe('findings_at_threshold: 1 finding critical, 1 in all');
});

test('a baseline finding that is not reported is fixed only if its line is gone', async () => {
  const baseline = await reviewed([rounding]);
  const silent = await rehearse({ turns: [{ answer: wholeAnswer }], baseline });
  expect(settledResult(await silent.drive()).baseline).toMatchObject({
    fixed: [],
    not_seen_again: [{ title: 'Fault 1', path: 'src/total.ts' }],
    not_looked_at: [],
  });
  const removed = '--- a/src/total.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-export const total = 1;\n';
  const gone = await rehearse({ turns: [{ answer: wholeAnswer }], diff: removed, baseline });
  expect(settledResult(await gone.drive()).baseline).toMatchObject({
    fixed: [{ title: 'Fault 1', path: 'src/total.ts' }],
    not_seen_again: [],
  });
  const diff = smallDiff.replaceAll('total.ts', 'other.ts');
  const elsewhere = await rehearse({ turns: [{ answer: wholeAnswer }], diff, baseline });
  expect(settledResult(await elsewhere.drive()).baseline).toMatchObject({
    fixed: [],
    not_looked_at: [{ title: 'Fault 1' }],
  });
});

test('a failed review reports nothing as fixed', async () => {
  const baseline = await reviewed([rounding]);
  const review = await rehearse({ turns: [{ fault: 'unavailable', code: 'quota' }], baseline });
  expect(settledResult(await review.drive())).toMatchObject({
    outcome: 'failed',
    baseline: { fixed: [], not_looked_at: [{ title: 'Fault 1' }] },
  });
});

test('a resumed run keeps the baseline that it started with', async () => {
  const baseline = await reviewed([rounding]);
  const turns = [{ fault: 'unavailable', code: 'auth' }, { answer: answerWith(rounding) }];
  const review = await rehearse({ turns, baseline });
  expect(settledResult(await review.drive())).toMatchObject({ outcome: 'failed' });
  expect(settledResult(await review.drive())).toMatchObject({
    outcome: 'clean',
    baseline: { still_there: 1 },
  });
});

test('a suppressed finding stays listed with its reason and does not count; an expired one counts and is reported', async () => {
  const entry = {
    line: 2,
    identity: null,
    path: 'src/total.ts',
    title: 'Fault 1',
    quote: null,
    severity: 'critical' as const,
    reason: 'by design',
    expires: null,
  };
  const turns = [{ answer: answerWith(rounding) }];
  const suppress = async (expires: string | null) => {
    const suppressions = { file: 'known.yaml', entries: [{ ...entry, expires }] };
    const review = await rehearse({ turns, settings: { suppressions } });
    return settledResult(await review.drive());
  };
  expect(await suppress(null)).toMatchObject({
    outcome: 'clean',
    exit_code: 0,
    findings: [{ suppressed: { reason: 'by design', expires: null, expired: false } }],
    suppressions: { file: 'known.yaml', suppressed: 1, expired: [], unused: [] },
  });
  expect(await suppress('2020-01-31')).toMatchObject({
    outcome: 'findings',
    exit_code: 1,
    findings: [{ suppressed: { expires: '2020-01-31', expired: true } }],
    suppressions: { suppressed: 0, expired: [{ line: 2, findings: 1 }] },
  });
});
