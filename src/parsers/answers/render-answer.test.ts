import { expect, test } from 'vitest';
import { renderFence } from '../../text/fence.ts';
import { renderAnswer, renderIssues } from './render-answer.ts';

const leak = {
  severity: 'minor',
  severityInferred: false,
  title: 'Odd\nname',
  text: 'it says\n\nnothing',
  location: { path: 'a`b.ts', startLine: 3, endLine: 4 },
  quote: { text: '- x\n- y', side: 'new' },
  remedy: null,
} as const;

test('R001-11 renders a review in the form that is asked for', () => {
  const issues = renderIssues([
    leak,
    {
      ...leak,
      severity: 'critical',
      title: 'Leak',
      text: '',
      location: null,
      quote: { text: '```', side: 'old' },
      remedy: 'close it',
    },
  ]);
  const sections = [
    { name: 'STRENGTHS', text: '' },
    { name: 'ISSUES', text: issues },
  ];
  expect(renderAnswer('[RESPONSE:REVIEW]', sections)).toBe(`[RESPONSE:REVIEW]

## STRENGTHS

None

## ISSUES

### Critical
1. **Leak**
   \`\`\`\`
   -\`\`\`
   \`\`\`\`
   Fix: close it

### Minor
1. **Odd name** — \`\` a\`b.ts:3-4 \`\`
   \`\`\`
   +- x
   +- y
   \`\`\`
   Why: it says

   nothing
`);
});

test('X001-14.2 a fence is longer than any run of backticks inside it', () => {
  expect([renderFence('a'), renderFence('a ````` b', 'md')]).toEqual([
    '```\na\n```',
    '``````md\na ````` b\n``````',
  ]);
});
