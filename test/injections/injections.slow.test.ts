/**
 * A hostile repository and every injection of the table, judged by oracles without a model; (c) is in
 * `injections-in-reports.test.ts`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Parser } from 'commonmark';
import { describe, expect, test } from 'vitest';
import { readBlob } from '../../src/engine/journal/blobs.ts';
import { readAnswer } from '../../src/parsers/answers/read-answer.ts';
import { createFences } from '../../src/prompts/fence.ts';
import { renderLeadMessage } from '../../src/prompts/lead/lead-prompt.ts';
import { renderReverseAnswer } from '../../src/prompts/repair/repair.ts';
import { renderReverseRequest } from '../../src/prompts/repair/reverse-request.ts';
import { codeOf, reviewRequest } from '../../src/prompts/requests.test-helper.ts';
import { renderWorkOrder } from '../../src/prompts/lead/work-order.ts';
import { renderReport } from '../../src/views/reports/report-formats.ts';
import type { ReviewResult } from '../../src/review/outcome/result.ts';
import {
  rehearse,
  settledResult,
  type RehearsedReview,
} from '../../src/runs/rehearsed-review.test-helper.ts';
import { exchangeSpecOf } from '../../src/tags/tags.ts';
import { makeVisible, visibleName } from '../../src/text/neutralise.ts';
import { readBelow } from '../fixtures/files-holding.ts';
import { injectedFiles, injections, leakedBy, secretLines, type Injection } from '../fixtures/injections.ts';
import { reportsOf } from '../fixtures/reports/expect-whole.ts';
import { nodesOf } from '../fixtures/reports/read-reports.ts';
import { finding } from '../fixtures/reports/sample-report.ts';
import { sampleSecrets } from '../fixtures/sample-secrets.ts';
import {
  hostileRepository,
  type HostileRepository,
  type ScratchRepository,
} from '../fixtures/scratch-repository.ts';

const inChange = injections.filter(({ channel }) => channel !== 'answer');

test('the table has more than forty injections, each found by its name', () => {
  expect(injections.length).toBeGreaterThanOrEqual(40);
  expect(new Set(injections.map(({ name }) => name)).size).toBe(injections.length);
  expect(new Set(injections.map(({ text }) => text)).size).toBe(injections.length);
});

describe('(a) a foreign text is byte for byte in one code node of the parsed prompt, and nowhere else', () => {
  test.each(inChange)('$name', async (injection) => {
    const { prompts } = await reviewed();
    const [first = ''] = prompts;
    expect(faultsIn(first, shownIn(injection), injection.text)).toEqual([]);
  });

  test.each(injections)('echoed to the lead and back: $name', ({ text }) => {
    const faults = promptsWith(text).map((prompt) => faultsIn(prompt, makeVisible(text), text));
    expect(faults.flat()).toEqual([]);
  });
});

describe('(b) an answer that echoes it changes nothing', () => {
  test.each(injections)('$name', ({ text }) => {
    for (const echo of echoes(text)) {
      const [plain, before, after] = [answerText(''), answerText(echo), `${answerText('')}\n${echo}\n`];
      expect(sectionsOf(before)).toEqual(sectionsOf(plain));
      // It is only the end of the last section now.
      expect(sectionsOf(after).slice(0, 2)).toEqual(sectionsOf(plain).slice(0, 2));
      expect(read(echo).kind).toBe('marker_absent');
    }
  });

  test('all of them at once, in a whole review', async () => {
    const { result } = await reviewed();
    const [plain, echoed] = [
      await reviewWith(''),
      await reviewWith(echoes(injections.map(({ text }) => text).join('\n')).join('\n\n')),
    ];
    expect(judged(echoed)).toEqual(judged(plain));
    expect(judged(result)).toMatchObject({ outcome: 'findings', exit_code: 1 });
  });
});

describe('(d) private data appears nowhere', () => {
  test('no canary of home, environment and ignored files, and no secret of the change', async () => {
    const { said } = await reviewed();
    for (const [where, text] of said) expect([where, text.match(/CANARY_\w+/g)]).toEqual([where, null]);
    // The run's own copy of the change: static rules look for the secrets there.
    for (const [where, text] of said.filter(([name]) => name !== 'input.json')) {
      expect([where, leakedBy(text)]).toEqual([where, []]);
    }
    expect(said.map(([where]) => where)).toEqual(
      expect.arrayContaining(['journal.jsonl', 'result.json', 'transcript.md', 'sarif']),
    );
  });

  test('masked secrets are reported by kind and place', async () => {
    const { result } = await reviewed();
    const covered = (result.covered_secrets ?? []).filter((secret) => secret.in === 'change');
    expect(new Set(covered.map(({ path }) => path))).toEqual(new Set(['src/secrets.ts']));
    expect(covered.length).toBeGreaterThanOrEqual(sampleSecrets.length);
  });

  test('nothing of the repository was executed', async () => {
    expect((await reviewed()).sprung).toEqual([]);
  });
});

interface Reviewed {
  readonly prompts: readonly string[];
  readonly result: ReviewResult;
  /** All that the run wrote and printed, by name. */
  readonly said: readonly (readonly [string, string])[];
  readonly sprung: readonly string[];
}

let once: Promise<Reviewed> | null = null;

/** One review of the last commit, which holds every injection, and secrets; the first test that needs it runs it. */
function reviewed(): Promise<Reviewed> {
  return (once ??= reviewHostile());
}

async function reviewHostile(): Promise<Reviewed> {
  const repository = hostileRepository(commitInjections);
  placeCanaries(repository);
  repository.reset();
  const instructions = `${textsOf('instructions').join('\n\n')}\n${secretLines}`;
  const review = await rehearse({
    repository,
    turns: [{ answer: answerText('') }],
    settings: { instructions, chunk_tokens: 500_000 },
    env: { FOO_TOKEN: 'CANARY_ENVIRONMENT', COLLAB_HOME: join(repository.env['HOME'] ?? '', 'runs') },
  });
  const result = settledResult(await review.drive());
  return {
    prompts: promptsOf(review),
    result,
    said: await saidOf(review, result),
    sprung: repository.sprung(),
  };
}

function commitInjections({ root, write, git }: ScratchRepository): void {
  write('src/total.ts', 'export const total = 1;\n');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'before');
  for (const [path, content] of Object.entries(injectedFiles())) write(path, content);
  write('src/total.ts', 'export const total = Math.floor(1);\n');
  git('add', '--all');
  const message = join(root, '.git/injections');
  writeFileSync(message, `${textsOf('commit message').join('\n\n')}\n${secretLines}`);
  git('commit', '--quiet', '--cleanup=verbatim', '--file', message);
}

/** Puts canaries into the home and into files that git ignores. */
function placeCanaries({ root, env }: HostileRepository): void {
  const home = env['HOME'] ?? '';
  mkdirSync(join(home, '.ssh'));
  writeFileSync(join(home, '.ssh/id_ed25519'), 'CANARY_SSH\n');
  writeFileSync(join(home, '.netrc'), 'machine x login y password CANARY_NETRC\n');
  writeFileSync(join(root, '.env'), 'KEY=CANARY_DOTENV\n');
  mkdirSync(join(root, 'private'));
  writeFileSync(join(root, 'private/notes.txt'), 'CANARY_IGNORED\n');
  writeFileSync(join(root, '.git/info/exclude'), '.env\nprivate/\n');
}

function textsOf(channel: Injection['channel']): readonly string[] {
  return injections.filter((injection) => injection.channel === channel).map(({ text }) => text);
}

function promptsOf(review: RehearsedReview): readonly string[] {
  return review
    .journal()
    .flatMap((event) =>
      event.type === 'exchange.sent' ? [readBlob(review.runFolder, event.prompt_ref)] : [],
    );
}

async function saidOf(
  { runFolder }: RehearsedReview,
  result: ReviewResult,
): Promise<readonly (readonly [string, string])[]> {
  const files = readBelow(runFolder).map(({ name, text }) => [name, text] as const);
  const terminal = await renderReport('terminal', result, { columns: 80, color: true });
  return [...files, ...Object.entries(await reportsOf(result)), ['terminal', terminal]];
}

/** As the prompt shows it. */
function shownIn({ channel, text }: Injection): string {
  if (channel === 'file name') return visibleName(`names/${text}.ts (added`);
  if (channel === 'diff')
    return makeVisible(
      text
        .split('\n')
        .map((line) => `+${line}`)
        .join('\n'),
    );
  return makeVisible(text);
}

/** The places of the text, except for one code node, by both Markdown parsers that a prompt may meet. */
function faultsIn(prompt: string, shown: string, text: string): readonly string[] {
  const [codes, prose] = commonmarkOf(prompt);
  const count = (nodes: readonly string[]) => nodes.filter((code) => code.includes(shown)).length;
  return [
    ...(count(codeOf(prompt)) === 1 ? [] : [`remark sees it in ${count(codeOf(prompt))} code nodes`]),
    ...(count(codes) === 1 ? [] : [`commonmark sees it in ${count(codes)} code nodes`]),
    ...prose.filter((words) => words.includes(text) || words.includes(makeVisible(text))),
    ...(prompt.match(hidden) ?? []),
  ];
}

const hidden =
  /[^\P{Cc}\t\n\r]|\r(?!\n)|[\u200b\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e01ef}]/gu;

/** The text in code, and the rest. */
function commonmarkOf(prompt: string): readonly [readonly string[], readonly string[]] {
  const nodes = nodesOf(new Parser().parse(prompt));
  const literals = (wanted: (type: string) => boolean) =>
    nodes.filter(({ type }) => wanted(type)).map(({ literal }) => literal ?? '');
  return [literals(isCode), literals((type) => !isCode(type))];
}

function isCode(type: string): boolean {
  return type === 'code_block' || type === 'code';
}

const nonce = 'fedcba9876543210';

/** Every prompt that repeats an agent's text. */
function promptsWith(text: string): readonly string[] {
  const claimed = finding({ title: 'A title', body: text, remedy: 'A remedy', quote: 'a quotation' });
  const advice = { sections: [{ name: 'RISKS', text }] };
  const brief = { task: text, template: 'Do it.', settled: [], manifest: null, language: null };
  const rendered = { recap: null, nonce };
  const request = { tag: '[CONSULT:CLAUDE:CONTEXT]', text } as const;
  return [
    renderWorkOrder([claimed]),
    renderLeadMessage({ kind: 'advice', advice, left: 1 }, rendered),
    renderLeadMessage({ kind: 'implement', brief, workOrder: null, consults: 1 }, rendered),
    renderLeadMessage(
      {
        kind: 'verify',
        by: 'lead',
        refutes: false,
        findings: [{ finding: claimed, context: '' }],
        reads: 'nothing',
        language: null,
        problems: [],
      },
      rendered,
    ),
    renderReverseRequest({ request, original: reviewRequest({ change: null }), readsFiles: false, nonce }),
    renderReverseAnswer('[CONSULT:CLAUDE:CONTEXT]', { sections: { CONTEXT: text } }, nonce),
  ];
}

/** How an agent repeats a text: as data, as a quotation. */
function echoes(text: string): readonly string[] {
  const quoted = text.split(/\r\n|\r|\n/).map((line) => `> ${line}`);
  return [createFences(nonce).data(text), quoted.join('\n')];
}

const issues = `### Critical
1. **The total is cut** — \`src/total.ts:1\`
   \`\`\`
   export const total = Math.floor(1);
   \`\`\`
   Why: it loses cents.
   Fix: keep them.`;

function answerText(echo: string): string {
  return `I was shown this:\n\n${echo}\n\n[RESPONSE:REVIEW]\n\n## STRENGTHS\nSmall.\n\n## ISSUES\n${issues}\n\n## SUGGESTIONS\nNone\n`;
}

function read(answer: string) {
  return readAnswer(answer, exchangeSpecOf('[REQUEST:REVIEW]').answer);
}

/** Without their places. */
function sectionsOf(answer: string) {
  const reading = read(answer);
  if (reading.kind !== 'whole') throw new Error(`the answer is ${reading.kind}`);
  return reading.block.sections.map(({ name, state, text }) => ({ name, state, text }));
}

async function reviewWith(echo: string): Promise<ReviewResult> {
  const diff =
    'diff --git a/src/total.ts b/src/total.ts\n--- a/src/total.ts\n+++ b/src/total.ts\n@@ -1 +1 @@\n-export const total = 1;\n+export const total = Math.floor(1);\n';
  return settledResult(await (await rehearse({ diff, turns: [{ answer: answerText(echo) }] })).drive());
}

function judged({ outcome, exit_code, findings, strengths, suggestions, reasons }: ReviewResult) {
  return {
    outcome,
    exit_code,
    reasons,
    strengths,
    suggestions,
    findings: findings.map(({ id: _id, ...rest }) => rest),
  };
}
