/**
 * `collab consult` and `collab answer`: the calling lead asks, gets a question back, answers it, and gets its answer.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { test, type Place } from '../place.ts';
import { recordsIn } from '../records-in.ts';
import { until } from '../started-command.ts';

const asksContext = { answer: '[CONSULT:CLAUDE:CONTEXT]\n\nWhich currencies are there?\n' };
const asksVerification = { answer: '[CONSULT:CLAUDE:VERIFICATION]\n\nInteger minor units, then?\n' };
const settles = {
  answer:
    '[RESPONSE:DESIGN]\n\n## ASSESSMENT\nThe `Money` plan is sound.\n\n## RISKS\nRounding of yen.\n\n## ALTERNATIVES\nNone\n\n## RECOMMENDATION\nKeep integers.\n',
};
const answerOfAdvisor = [
  '[RESPONSE:DESIGN]',
  '## ASSESSMENT\n\nThe `Money` plan is sound.',
  '## RISKS\n\nRounding of yen.',
  '## ALTERNATIVES\n\nNone',
  '## RECOMMENDATION\n\nKeep integers.',
].join('\n\n');

describe.concurrent('a consult', () => {
  test('settles, with the sections on standard output and the agents on standard error', async ({
    place,
    expect,
  }) => {
    const asked = await place.collab(consult(place, [settles]), { input: brief });
    const run = lastRun(place);
    expect(asked).toMatchObject({
      code: 0,
      stdout: `${answerOfAdvisor}\n\nsettled — 4 sections from rehearsal (script.yaml)\n  run ${run}\n`,
      stderr: expect.stringMatching(/^asking about the design\n {2}by Codex; nothing leaves this machine; /),
    });
    const again = await Promise.all([place.collab(['show']), place.collab(['wait'])]);
    expect(again.map(({ code, stdout }) => ({ code, stdout }))).toEqual([
      { code: 0, stdout: asked.stdout },
      { code: 0, stdout: asked.stdout },
    ]);
    expect(await place.collab(['check'])).toMatchObject({ code: 0 });
    expect((await place.collab(['gate', join(place.lastRun(), 'result.json')])).stderr).toContain(
      'is not the result of a review: its schema is collab.consult/v1',
    );
  });

  test('ends with 3 if its budget is too small, and with 2 if no price is known', async ({
    place,
    expect,
  }) => {
    const command = consult(place, [settles]);
    const priced = await place.collab([...command, '--budget-usd', '1'], { input: brief });
    expect(priced).toMatchObject({ code: 2, stderr: expect.stringContaining('--budget-tokens') });
    const spent = await place.collab([...command, '--budget-tokens', '1'], { input: brief });
    expect(spent.code).toBe(3);
    expect(spent.stdout + spent.stderr).toContain('the budget of 1 tokens is spent');
    expect(readFileSync(join(place.lastRun(), 'transcript.md'), 'utf8')).toContain('nothing is left to try');
  });

  test('R001-5 X001-7.1,4 ends with 10 where it is asked back, and goes on in the same session with the answer', async ({
    place,
    expect,
  }) => {
    const asked = await place.collab(consult(place, [asksContext, settles]), { input: brief });
    const run = lastRun(place);
    expect(asked).toMatchObject({
      code: 10,
      stdout: `${run} asks:\n\n[CONSULT:CLAUDE:CONTEXT]\n\nWhich currencies are there?\n\nTo answer, write the context, in any Markdown; then\n  collab answer ${run} --file -\n`,
    });
    expect(resultOf(place)).toMatchObject({ state: 'waiting', outcome: 'unfinished', exit_code: 4 });
    const standing = [
      await place.collab(['wait']),
      await place.collab(['show']),
      await place.collab(['resume']),
      await place.collab(['status']),
    ];
    expect(standing.map(({ code }) => code)).toEqual([10, 10, 10, 0]);
    expect(standing.slice(0, 3).map(({ stdout }) => stdout)).toEqual(Array(3).fill(asked.stdout));
    const answered = await place.collab(['answer', run, '--file', '-'], { input: 'The yen has none.' });
    expect(answered).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${answerOfAdvisor}\n\nsettled`),
    });
    expect(resultOf(place)).toMatchObject({
      state: 'ended',
      outcome: 'settled',
      asked_back: [
        {
          tag: '[CONSULT:CLAUDE:CONTEXT]',
          question: 'Which currencies are there?',
          by: 'caller',
          declined: null,
          answer: '## CONTEXT\n\nThe yen has none.',
        },
      ],
    });
    const events = await eventsOf(place);
    expect(events.flatMap((event) => (event.type === 'step.bound' ? [event.session_id] : []))).toEqual([
      'rehearsal',
      'rehearsal',
    ]);
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'exchange.answered_back',
        by: 'caller',
        text: '## CONTEXT\n\nThe yen has none.',
      }),
    );
    expect(await place.collab(['check'])).toMatchObject({ code: 0 });
    expect(calls(place)).toEqual(['ex_consult/1/1', 'ex_consult/2/1']);
  });

  test('X001-8 an answer that asks back itself is recorded and refused; other bad answers leave no trace', async ({
    place,
    expect,
  }) => {
    await place.collab(consult(place, [asksVerification, settles]), { input: brief });
    const answer = async (text: string, ...flags: readonly string[]) => {
      const { code, stderr } = await place.collab(['answer', 'latest', '--file', '-', ...flags], {
        input: text,
      });
      return `${code} ${stderr.split('\n')[0]}`;
    };
    expect([
      await answer(''),
      await answer('Go ahead.'),
      await answer('## VERDICT\nperhaps\n## REASON\nx'),
      await answer('## VERDICT\napprove'),
      await answer('x'.repeat(262_145)),
      await answer('x'.repeat(1_048_577)),
    ]).toEqual([
      '2 collab: the answer is empty',
      '2 collab: the answer has no section VERDICT',
      '2 collab: the answer has the verdict "perhaps"',
      '2 collab: the answer has no section REASON',
      '2 collab: the answer has 262145 bytes; 256 KiB is the limit',
      '2 collab: the answer is larger than 1024 KiB',
    ]);
    const before = await eventsOf(place);
    expect(await answer('[CONSULT:CLAUDE:CONTEXT]\n\nWhat do you mean?')).toBe(
      '2 collab: the answer asks back with [CONSULT:CLAUDE:CONTEXT], which is not allowed',
    );
    const after = await eventsOf(place);
    expect(after.slice(before.length)).toMatchObject([
      { type: 'error', kind: 'protocol', message: expect.stringContaining('asks back with') },
    ]);
    expect(await answer('## VERDICT\nrevise\n\n## REASON\nYen has no minor unit.')).toMatch(/^0 /);
    expect(await answer('## VERDICT\napprove\n\n## REASON\nAgain.')).toMatch(
      /^2 collab: \S+ has no question: it is ended$/,
    );
    expect(calls(place)).toEqual(['ex_consult/1/1', 'ex_consult/2/1']);
  });

  test('gets at most three reverse requests', async ({ place, expect }) => {
    await place.collab(consult(place, [{ ...asksContext, repeat: 4 }, settles]), { input: brief });
    const codes: (number | null)[] = [];
    for (let number = 1; number <= 3; number += 1) {
      const { code } = await place.collab(['answer', 'latest', '--file', '-'], {
        input: `Answer ${number}.`,
      });
      codes.push(code);
    }
    expect(codes).toEqual([10, 10, 0]);
    expect((await eventsOf(place)).filter(({ type }) => type === 'exchange.answered_back')).toHaveLength(3);
  });

  test('with a missing session sends request, question and answer together in a fresh one', async ({
    place,
    expect,
  }) => {
    await place.collab(consult(place, [asksContext, settles]), { input: brief });
    const session = join(stateOf(place), 'rehearsal', 'sessions', 'rehearsal.json');
    rmSync(session);
    const { code } = await place.collab(['answer', 'latest', '--file', '-'], { input: 'The yen has none.' });
    expect(code).toBe(0);
    const prompt = (await place.collab(['show', 'latest', '--prompt', '2'])).stdout;
    expect(prompt).toContain('\nIs it sound to keep money as integers in `Money`?');
    expect(prompt).toMatch(
      /Which currencies are there\?[\s\S]*\[RESPONSE:CLAUDE:CONTEXT\][\s\S]*The yen has none\./,
    );
    expect(calls(place)).toEqual(['ex_consult/1/1', 'ex_consult/2/1']);
    expect(await place.collab(['check'])).toMatchObject({ code: 0 });
  });

  test.for<[string, object, number, string]>([
    ['exhausted', { answer: 'I think it is fine.', repeat: 'forever' }, 3, 'exhausted — no whole answer'],
    [
      'unavailable',
      { fault: 'unavailable', code: 'quota', message: 'quota is used up' },
      4,
      'unavailable — ',
    ],
    [
      'without one section',
      { answer: '[RESPONSE:DESIGN]\n## ASSESSMENT\nMoney is fine.', repeat: 'forever' },
      3,
      'exhausted — the answer has no RISKS, ALTERNATIVES, RECOMMENDATION',
    ],
  ])('that is %s says so and how it ended', async ([, turn, code, says], { place, expect }) => {
    const asked = await place.collab(consult(place, [turn]), { input: brief });
    expect(asked).toMatchObject({ code, stdout: expect.stringContaining(says) });
    expect(resultOf(place)).toMatchObject({ state: 'ended', exit_code: code });
    expect(await place.collab(['check'])).toMatchObject({ code: 0 });
    expect((await place.collab(['wait'])).code).toBe(code);
  });

  test('refuses a question that it cannot ask, and leaves no run', async ({ place, expect }) => {
    const flags = consult(place, [settles]).slice(4);
    place.write('binary', new Uint8Array([0xff, 0xfe, 0x00]));
    const refusals = await Promise.all([
      place.collab(['consult', 'design', '--file', '-', ...flags], { input: ' \n' }),
      place.collab(['consult', 'design', '--file', 'missing.md', ...flags]),
      place.collab(['consult', 'design', '--file', 'binary', ...flags]),
      place.collab(['consult', 'desing', '--file', '-', ...flags]),
      place.collab(['consult', 'review', '--file', '-', ...flags]),
      place.collab(['consult', 'design', '--file', '-', '--run', 'x', ...flags], { input: brief }),
      place.collab(['consult', 'design', '--file', '-', '--advisor', 'static_review'], { input: brief }),
      place.collab(['answer', 'latest', '--file', '-'], { input: 'x' }),
    ]);
    expect(refusals.map(({ code, stderr }) => `${code} ${stderr.split('\n')[0]}`)).toEqual([
      '2 collab: the brief is empty',
      '2 collab: the brief cannot be read: missing.md',
      '2 collab: the brief is not UTF-8 text',
      expect.stringMatching(/^2 collab: .*desing.*requirements, design, implementation/),
      expect.stringMatching(/^2 collab: .*review.*requirements, design, implementation/),
      expect.stringMatching(/^2 collab: There is no run/),
      '2 collab: static_review only reviews changes; it answers no questions',
      expect.stringMatching(/^2 collab: There is no run/),
    ]);
    expect(place.runs()).toEqual([]);
  });

  test('without an advisor ends with 4 and the remedy; static checks are not a substitute', async ({
    place,
    expect,
  }) => {
    const asked = await place.collab(['consult', 'design', '--file', '-'], { input: brief });
    expect(asked).toMatchObject({ code: 4, stdout: '' });
    expect(asked.stderr).toMatch(/codex/i);
    expect(asked.stderr).not.toContain('--allow-static');
    expect(place.runs()).toEqual([]);
  });

  test('continues a conversation: earlier results are passed on as fenced context', async ({
    place,
    expect,
  }) => {
    await place.collab(consult(place, [settles]), { input: brief });
    const first = lastRun(place);
    const second = await place.collab([...consult(place, [settles, settles]), '--run', first], {
      input: 'And in `Money` for yen?',
    });
    expect(second.code).toBe(0);
    expect(resultOf(place)).toMatchObject({ conversation_id: first });
    const third = await place.collab([...consult(place, [settles, settles, settles]), '--run', 'latest'], {
      input: 'And in `Money` for dinars?',
    });
    expect(third.code).toBe(0);
    expect(resultOf(place)).toMatchObject({ conversation_id: first });
    const { stdout: prompt } = await place.collab(['show', 'latest', '--prompt', '1']);
    expect(prompt.match(/### From `Settled before: design, run \S+`/g)).toHaveLength(2);
    expect(prompt).toContain('## Material (data)');
    const [event] = await eventsOf(place);
    expect(event).toMatchObject({ conversation_id: first });
  });

  test.for(['json', 'markdown'])('prints %s', async (format, { place, expect }) => {
    const asked = await place.collab([...consult(place, [asksContext, settles]), '--format', format], {
      input: brief,
    });
    expect(asked.code).toBe(10);
    const answered = await place.collab(['answer', 'latest', '--file', '-', '--format', format], {
      input: 'None.',
    });
    if (format === 'json') {
      expect(JSON.parse(asked.stdout)).toMatchObject({
        schema: 'collab.question/v1',
        state: 'waiting',
        tag: '[CONSULT:CLAUDE:CONTEXT]',
        next: expect.stringMatching(/^collab answer /),
      });
      expect(JSON.parse(answered.stdout)).toEqual(resultOf(place));
    } else {
      expect(answered.stdout).toMatch(
        /^# Consult on design: settled[\s\S]*\n## RISKS\n\nRounding of yen\.\n/,
      );
    }
  });

  test('is never printed as findings, and a refused format leaves the run waiting', async ({
    place,
    expect,
  }) => {
    await place.collab(consult(place, [asksContext, settles]), { input: brief });
    const asked = place.read('calls.log');
    const refused = {
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^collab: a consult has no findings, and sarif /),
    };
    for (const args of [
      ['answer', 'latest', '--file', '-'],
      ['resume'],
      ['wait'],
      ['report', join(place.lastRun(), 'result.json')],
    ])
      expect(await place.collab([...args, '--format', 'sarif'], { input: 'None.' })).toEqual(refused);
    expect(place.read('calls.log')).toBe(asked);
    expect(await place.collab(['answer', 'latest', '--file', '-'], { input: 'None.' })).toMatchObject({
      code: 0,
    });
  });

  test('masks secrets in brief and answer before anything is recorded or sent', async ({ place, expect }) => {
    const secret = ['AK', 'IA', 'A7C2E5G3I6K4M2O7'].join('');
    await place.collab(consult(place, [asksContext, settles]), { input: `${brief} The key is ${secret}` });
    await place.collab(['answer', 'latest', '--file', '-'], { input: `It is ${secret}` });
    const { stdout } = await place.collab(['show', '--events']);
    expect(stdout).not.toContain(secret);
    expect((await place.collab(['show', '--prompt', '1'])).stdout).not.toContain(secret);
    expect(stdout).toContain('It is ****');
    expect(readFileSync(join(place.lastRun(), 'input.json'), 'utf8')).not.toContain(secret);
  });

  test('is driven by one process: a second one is told which, and since when', async ({ place, expect }) => {
    const flags = [...consult(place, [{ fault: 'never' }]), '--detach'];
    const { stdout } = await place.collab(flags, { input: brief });
    const { run } = z.object({ run: z.string() }).parse(JSON.parse(stdout));
    await until('a call', () => calls(place).length === 1);
    const second = await place.collab(['resume', run]);
    expect(second).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^collab: Another collab \(process \d+, since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\) is working on this run\n/,
      ),
    });
    expect(await place.collab(['answer', run, '--file', '-'], { input: 'x' })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has no question: it is running'),
    });
    expect(await place.collab(['cancel', run])).toMatchObject({ code: 0 });
    expect(await place.collab(['wait', run])).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/^cancelled\n/),
    });
    expect(await place.collab(['check', run])).toMatchObject({ code: 0 });
  });

  test('that waits can be canceled for good', async ({ place, expect }) => {
    await place.collab(consult(place, [asksContext]), { input: brief });
    expect(await place.collab(['cancel'])).toMatchObject({ code: 0 });
    expect(resultOf(place)).toMatchObject({ state: 'ended', outcome: 'cancelled', exit_code: 3 });
    expect(readFileSync(join(place.lastRun(), 'transcript.md'), 'utf8')).toContain('**cancelled**');
    expect(await place.collab(['wait'])).toMatchObject({ code: 3 });
    expect(await place.collab(['check'])).toMatchObject({ code: 0 });
  });
});

const brief = 'Is it sound to keep money as integers in `Money`?';

/** Arguments of a consult whose advisor plays `turns`. */
function consult(place: Place, turns: readonly object[]): readonly string[] {
  place.write('script.yaml', stringify({ agent: { name: 'Codex' }, call_log: 'calls.log', turns }));
  return ['consult', 'design', '--file', '-', '--advisor', 'rehearsal:script.yaml'];
}

/** The calls that were begun, in order. */
function calls(place: Place): readonly string[] {
  if (!place.names().includes('calls.log')) return [];
  return [...place.read('calls.log').matchAll(/^begin (.+)$/gm)].map(([, call = '']) => call);
}

function lastRun(place: Place): string {
  return place.lastRun().split('/').at(-1) ?? '';
}

function stateOf(place: Place): string {
  return join(place.environment['HOME'] ?? '', '.local', 'state', 'collab', lastRun(place));
}

function resultOf(place: Place): unknown {
  return JSON.parse(readFileSync(join(place.lastRun(), 'result.json'), 'utf8'));
}

const eventSchema = z.looseObject({ type: z.string(), session_id: z.string().optional() });

async function eventsOf(place: Place): Promise<readonly z.infer<typeof eventSchema>[]> {
  const { stdout } = await place.collab(['show', '--events']);
  return recordsIn(stdout).map((record) => eventSchema.parse(record));
}
