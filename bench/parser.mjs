// Reading a whole answer of 1, 10 and 100 KB, against commonmark's parse of the same text.
import { Parser } from 'commonmark';
import { join } from 'node:path';
import { bundle } from './bundle.mjs';
import { heading, interleave, medianOf, ms, ratio, row, runsFrom, timed } from './measure.mjs';
import { repository } from './programs.mjs';

const runs = runsFrom(process.argv, 15);
const { readAnswer } = await import(await bundle(join(repository, 'src/parsers/answers/read-answer.ts')));
const commonmark = new Parser();

heading(`reading an answer in [RESPONSE:REVIEW] form; ${runs} interleaved runs, the code warm`);
for (const sizeBytes of [1_000, 10_000, 100_000]) {
  const text = answerOf(sizeBytes);
  const reading = readAnswer(text, '[RESPONSE:REVIEW]');
  if (reading.kind !== 'whole') throw new Error(`the answer was read as ${reading.kind}`);
  const repeats = Math.ceil(200_000 / sizeBytes);
  const each = (work) => () =>
    timed(() => {
      for (let index = 0; index < repeats; index += 1) work();
    });
  const figures = await interleave(
    {
      commonmark: each(() => commonmark.parse(text)),
      readAnswer: each(() => readAnswer(text, '[RESPONSE:REVIEW]')),
    },
    runs,
  );
  const [reference, ours] = [figures.commonmark, figures.readAnswer].map(
    (own) => medianOf(own, 'wallMs') / repeats,
  );
  const size = `${(text.length / 1000).toFixed(0)} KB, ${reading.issues.length} findings`;
  row(size, `commonmark ${ms(reference)}`, `readAnswer ${ms(ours)}`, ratio(ours / reference));
}

function answerOf(sizeBytes) {
  const issues = [];
  const body = () => `[RESPONSE:REVIEW]

## STRENGTHS
- Small functions with one purpose each.

## ISSUES
### Important
${issues.join('\n')}

## SUGGESTIONS
None
`;
  while (issues.length === 0 || body().length < sizeBytes - 200) issues.push(issue(issues.length + 1));
  return body();
}

function issue(number) {
  return `${number}. **Total ${number} is rounded *before* tax** — \`src/checkout/total-${number}.ts:${number}\`
   \`\`\`
   const total${number} = Math.round(subtotal);
   \`\`\`
   Why: totals differ by cents, see [the rule](https://example.org/rule) and \`round()\`.
   Fix: round once, at the end.
`;
}
