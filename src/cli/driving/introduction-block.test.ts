import { expect, test } from 'vitest';
import { createPaint } from '../../text/paint.ts';
import { lineWidth, paintLine, type Line } from '../../text/spans.ts';
import type { Introduction } from '../../runs/introduction.ts';
import { introductionBlock } from './introduction-block.ts';
import { introductionLines } from './introduction-lines.ts';

const asked: Introduction = {
  kind: 'consult',
  phase: 'design',
  advisor: {
    provider: 'codex',
    displayName: 'Codex',
    version: '0.169.0',
    model: 'gpt-5.5',
    login: 'ChatGPT login',
    destination: 'chatgpt.com',
    remarks: ['no repository access'],
  },
  lead: 'user',
  notes: ['settings from collab.config.yaml', 'instructions from REVIEW.md'],
  estimatedTokens: 1204,
  timeLimitMs: 3_600_000,
};

const printed = (lines: readonly Line[]) => lines.map((line) => paintLine(line, createPaint(false)));

test('each fact is behind its label, and facts of one label follow each other', () => {
  expect(printed(introductionBlock(asked, 80))).toEqual([
    'asking about the design',
    '  by     Codex 0.169.0 (gpt-5.5), ChatGPT login',
    '  sends  to chatgpt.com',
    '  note   no repository access',
    '         settings from collab.config.yaml',
    '         instructions from REVIEW.md',
    '  check  its questions: you answer',
    '  size   about 1,204 tokens of brief and context',
    '  limit  60 min',
    '',
  ]);
});

const words = (text: string) => text.match(/[\w.,-]*\w/g) ?? [];

test('a pipe says the same facts, at every width', () => {
  const onPipe = new Set(words(introductionLines(asked).join(' ')));
  for (let width = 40; width <= 200; width += 1) {
    const lines = introductionBlock(asked, width);
    expect(Math.max(...lines.map(lineWidth))).toBeLessThanOrEqual(width);
    const shown = new Set(words(printed(lines).join(' ')));
    expect([...onPipe].filter((word) => !shown.has(word))).toEqual(['sent', 'time']);
  }
});
