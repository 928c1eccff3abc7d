import { expect, test } from 'vitest';
import { changedFiles } from '../../../test/fixtures/reports/sample-report.ts';
import type { ReviewBrief } from '../../prompts/review/review-request.ts';
import type { TokenPrice } from '../../providers/contract/contract.ts';
import { parseProviderChoice } from '../../providers/contract/registry.ts';
import { planChunks } from '../../review/census/chunks.ts';
import { expectedPrice } from '../../runs/agents/call-price.ts';
import { effortRange } from '../../runs/review/effort-range.ts';
import { renderNumber } from '../../text/quantities.ts';
import { renderCost } from '../../views/reports/usage-line.ts';
import type { PreparedChange, ReviewOptions } from '../../runs/review/prepare.ts';
import { renderPlan } from './plan.ts';

const brief = {
  subject: 'main..HEAD\u001b',
  task: null,
  focus: null,
  instructions: null,
  language: null,
  checklists: [],
  conventions: [],
  pullRequest: null as string | null,
  related: [],
  checks: [] as readonly object[],
  messages: null,
  manifest: '',
};
const census = {
  filesChanged: 2,
  linesChanged: 1204,
  files: [
    { path: 'src/checkout/total.ts', skipped: null },
    { path: 'package-lock.json', skipped: { reason: 'lock file' } },
  ],
};
const settings = {
  advisor: 'auto',
  effort: 'standard',
  chunk_tokens: 24_000,
  time_limit_ms: null as number | null,
  context: 'files',
  rules: [],
};

interface Planned {
  readonly prepared?: Partial<Record<keyof PreparedChange, unknown>>;
  readonly brief?: Partial<typeof brief>;
  readonly settings?: Partial<typeof settings>;
  readonly files?: typeof changedFiles;
}

async function plan(
  { prepared, brief: briefed, settings: set, files = changedFiles }: Planned = {},
  showPrompt = false,
) {
  // oxlint-disable-next-line no-unsafe-type-assertion -- the parts of a change that a plan reads
  const change = {
    taken: {},
    read: { counted: { census, files, brief: { ...brief, ...briefed } } },
    conventions: { kept: [], left: [] },
    related: [],
    headOf: async () => null,
    ...prepared,
  } as unknown as PreparedChange;
  // oxlint-disable-next-line no-unsafe-type-assertion -- the parts of the options that a plan reads
  const options = {
    cwd: '/',
    env: {},
    signal: new AbortController().signal,
    settings: { ...settings, ...set },
    providerSettings: {},
    configuredAdvisor: null,
  } as unknown as ReviewOptions;
  return (await renderPlan(change, options, showPrompt)).split('\n');
}

/** The lines of the levels of effort. */
function efforts(price: TokenPrice | null = null): readonly string[] {
  const chunks = planChunks(changedFiles, settings.chunk_tokens);
  return (['quick', 'standard', 'deep'] as const).map((effort) => {
    // oxlint-disable-next-line no-unsafe-type-assertion -- as above
    const { calls, tokens, usd } = effortRange(effort, brief as ReviewBrief, chunks, price);
    const times = calls.least === calls.most ? `${calls.most} call` : `${calls.least} to ${calls.most} calls`;
    const size = `${renderNumber(tokens.least)} to ${renderNumber(tokens.most)} tokens`;
    const cost = usd === null ? '' : `, ${renderCost(usd.least)} to ${renderCost(usd.most)}`;
    return `--effort ${effort}: ${times}, about ${size} of requests and answers${cost}`;
  });
}

test('a plan says what is reviewed and skipped, and how much that is', async () => {
  expect(await plan()).toEqual([
    'would review main..HEAD␛',
    '2 files changed, 1,204 lines',
    'skipped package-lock.json: lock file',
    'chunk-1: 3 lines, about 84 tokens: src/checkout/total.ts',
    expect.stringMatching(
      /^each request begins with the same \d,\d{3} tokens, about \d\d % of its text before the diff$/,
    ),
    '1 exchange, about 84 tokens of diff, time limit 60 min; no agent was called',
    ...efforts(),
    '',
  ]);
});

test('a plan of a named model has its prices, and its time limit if there is one', async () => {
  const advisor = 'anthropic:claude-sonnet-5';
  const priced = await plan({ settings: { advisor, time_limit_ms: 300_000 } });
  const price = await expectedPrice([parseProviderChoice(advisor)], {
    env: {},
    cwd: '/',
    settings: {},
    signal: new AbortController().signal,
  });
  expect(price).not.toBeNull();
  expect(priced.slice(5)).toEqual([
    '1 exchange, about 84 tokens of diff, time limit 5 min; no agent was called',
    ...efforts(price),
    '',
  ]);
});

test('a plan of two chunks names each, and adds them up', async () => {
  const files = [
    ...changedFiles,
    ...changedFiles.map((file) => ({ ...file, path: 'b.ts', oldPath: 'b.ts' })),
  ];
  const apart = await plan({ files, settings: { chunk_tokens: 100 } });
  expect(apart.slice(3, 5)).toEqual([
    'chunk-1: 3 lines, about 84 tokens: src/checkout/total.ts',
    'chunk-2: 3 lines, about 67 tokens: b.ts',
  ]);
  expect(apart.slice(6, 7)).toEqual([
    '2 exchanges, about 151 tokens of diff, time limit 60 min; no agent was called',
  ]);
  expect((await plan({ files })).slice(3, 4)).toEqual([
    'chunk-1: 6 lines, about 151 tokens: src/checkout/total.ts, b.ts',
  ]);
});

test('a plan lists the material beside the diff, and what each level of context costs', async () => {
  const conventions = {
    kept: [{ path: 'AGENTS.md', text: 'x'.repeat(40) }],
    left: [{ path: 'OTHER.md', why: 'too long' }],
  };
  const checks = [
    { name: 'junit.xml', summary: '1 of 2 failed', items: [{ text: 'a'.repeat(7) }, { text: 'b' }] },
  ];
  const contextCosts = { diff: 0, functions: 401, files: 800, related: 804 };
  const lines = await plan({
    prepared: { conventions, taken: { contextCosts }, related: [] },
    brief: { pullRequest: 'é', checks },
  });
  expect(lines.slice(4, 10)).toEqual([
    'context files; tokens beside the diff: diff 0, functions 101, files 200, related 201',
    'conventions from AGENTS.md: about 10 tokens',
    'no conventions from OTHER.md: too long',
    'text of the pull request: about 1 token',
    'evidence from junit.xml: 1 of 2 failed, about 3 tokens',
    expect.stringMatching(/^each request begins/),
  ]);
});

test('--show-prompt adds the prompt of each chunk', async () => {
  const usual = await plan();
  const shown = await plan({}, true);
  expect(shown.slice(0, usual.length - 1)).toEqual(usual.slice(0, -1));
  expect(shown.slice(usual.length - 1, usual.length + 1)).toEqual(['', '---- prompt of chunk-1 ----']);
  expect(shown.join('\n')).toContain('[REQUEST:REVIEW]');
});
