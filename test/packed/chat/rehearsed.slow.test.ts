/**
 * A conversation with a rehearsed lead: the protocol by its commands and by the lead's tools, leads, budgets, one turn
 * at a time.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';
import { leads, scriptOf, type Turn } from '../../contract/workflow/workflow-script.ts';
import { test, type Place } from '../place.ts';
import { recordsIn } from '../records-in.ts';
import { pair, project } from '../run-project.ts';
import { until } from '../started-command.ts';

describe.concurrent('the protocol in a conversation', () => {
  test('/consult, /review and /run do their work, and the lead gets each result', async ({
    place,
    expect,
  }) => {
    project(place);
    const { code, stdout, stderr } = await chat(place, [converses('I know all of it.')], {
      input: [
        '/consult design Is it small?',
        '/review',
        '/run Write one. --phases design --yes',
        'What do you know?',
        '/history',
      ],
      change: () => place.write('README.md', '# two\n'),
    });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toMatch(/## RECOMMENDATION\n\nBuild it in `src\/one\.js`\./);
    expect(stdout).toMatch(/clean[^]*I know all of it\./);
    expect(stdout).toMatch(
      /#1 you: I ran \/consult design[^\n]*\n#2 you: I ran \/review\.[^\n]*\n#3 you: I ran \/run Write one\.[^\n]*\n#4 you: What do you know\?\n#5 lead: I know all of it\./,
    );
    expect(place.runs()).toHaveLength(3);
    expect(place.read('scripts/calls.log').match(/^begin /gm)?.length).toBeGreaterThanOrEqual(4);
  });

  test('X004-4.2 the lead consults and answers back by tools, where a rule lets it', async ({
    place,
    expect,
  }) => {
    project(place);
    place.write('rules.yaml', 'tools: { policy: { Consult: allow, AnswerAdvisor: allow } }\n');
    const calls = [
      { call: { name: 'Consult', input: { phase: 'design', brief: 'Is it small?' } } },
      { call: { name: 'AnswerAdvisor', input: { run: 'latest', answer: 'The second one.' } } },
    ];
    const asksBack = { answer: '[CONSULT:CLAUDE:CONTEXT]\n\nWhich version?\n' };
    const { code, stdout } = await chat(place, [converses('So be it.', { messages: calls }), asksBack], {
      input: ['Ask about the design.'],
      args: ['--json', '--config', 'rules.yaml'],
    });
    expect(code).toBe(0);
    const lines = recordsIn(stdout);
    expect(lines.filter(({ type }) => type === 'tool.result')).toMatchObject([
      { name: 'Consult', is_error: false, exit_code: 10, content: expect.stringContaining('Which version?') },
      { name: 'AnswerAdvisor', is_error: false, exit_code: 0, content: expect.stringContaining('## RISKS') },
    ]);
    expect(lines.filter(({ type }) => type === 'permission')).toMatchObject([
      { decision: 'allow', by: 'policy' },
      { decision: 'allow', by: 'policy' },
    ]);
    expect(place.runs()).toHaveLength(1);
  });

  test('X004-4.2,4 without a rule it may not, because no one is there to ask', async ({ place, expect }) => {
    const calls = [{ call: { name: 'Consult', input: { phase: 'design', brief: 'Is it small?' } } }];
    const { stdout } = await chat(place, [converses('Then not.', { messages: calls })], {
      input: ['Ask about the design.'],
      args: ['--json'],
    });
    expect(recordsIn(stdout).filter(({ type }) => type === 'tool.result')).toMatchObject([
      { is_error: true, content: expect.stringContaining('no one is there to ask') },
    ]);
    expect(place.runs()).toEqual([]);
  });
});

describe.concurrent('a conversation', () => {
  test('shows who leads and who advises, and both can be changed', async ({ place, expect }) => {
    place.write(
      'other.yaml',
      'agent: { name: Other }\nturns: [{ when: { work: converse }, answer: I am another. }]\n',
    );
    const { code, stdout, stderr } = await chat(place, [], {
      input: [
        '/model',
        '/model other.yaml',
        'Who are you?',
        '/advisor',
        '/advisor nobody',
        '/advisor static_review',
        '/advisor',
        '/resned',
      ],
      args: ['--json'],
    });
    expect({ code, stderr, stdout }).toMatchObject({ code: 0 });
    const lines = recordsIn(stdout);
    expect(lines.flatMap(({ type, text }) => (type === 'chat.output' ? [text] : []))).toEqual([
      'lead: rehearsal:scripts/pair.yaml',
      'lead: rehearsal:other.yaml',
      'advisor: rehearsal:scripts/pair.yaml',
      'advisor: static_review',
      'advisor: static_review',
    ]);
    expect(lines.flatMap(({ type, message }) => (type === 'chat.refused' ? [message] : []))).toMatchObject([
      expect.stringContaining('there is no provider "nobody"'),
      expect.stringContaining('/resend'),
    ]);
    expect(lines.flatMap(({ type, text }) => (type === 'text.end' ? [text] : []))).toEqual(['I am another.']);
    const later = await place.collab(['chat', '--resume', '--ascii'], { input: '/model\n' });
    expect(later.stdout).toContain('lead: rehearsal:other.yaml');
  });

  test('is held by one process, and the second one says so in one line', async ({ place, expect }) => {
    await chat(place, [converses('Hello.', { repeat: 'forever' })], { input: ['Hi.'] });
    const first = place.start(['chat', '--resume', '--ascii'], { input: null });
    await until('the first one is open', () => first.stderr().includes('conversation with'));
    const second = await place.collab(['chat', '--resume'], { input: 'Hi.\n' });
    expect(second).toMatchObject({
      stdout: '',
      stderr: expect.stringMatching(/is open in another process\n {2}end it/),
    });
    expect(second.code).not.toBe(0);
    expect((await place.collab(['clean', '--all'])).stdout).not.toContain('(conversation)');
    first.kill('SIGTERM');
    expect(await first.ended).toMatchObject({ code: 143 });
    expect((await place.collab(['clean'])).stdout).toBe('nothing to remove\n');
    const cleaned = await place.collab(['clean', '--all']);
    expect(cleaned.stdout).toMatch(/^removed \S+ \(conversation\)\n$/);
    expect(readdirSync(join(place.folder, '.collab/conversations'))).toEqual([]);
  });

  test('calls the lead no more when its budget is spent, earlier days included', async ({
    place,
    expect,
  }) => {
    const usage = { input: 4000, output: 1000 };
    const turns = [converses('One.', { usage, repeat: 'forever' })];
    const first = await chat(place, turns, { input: ['one', 'two'], args: ['--budget-tokens', '12000'] });
    expect(first.code).toBe(0);
    const second = await place.collab(['chat', '--resume', '--budget-tokens', '12000'], { input: 'three\n' });
    expect(second).toMatchObject({ code: 4 });
    expect(second.stderr).toMatch(
      /no answer: the budget of 12,000 tokens is spent.*collab chat --resume --budget-tokens <n>/,
    );
    const third = await place.collab(['chat', '--resume', '--budget-tokens', '20000'], { input: 'three\n' });
    expect(third).toMatchObject({ code: 0, stdout: expect.stringContaining('One.') });
  });

  test('without a lead one line lists each way to get one, and nothing is left', async ({
    place,
    expect,
  }) => {
    const alone = await place.collab(['chat'], { input: 'Hi.\n' });
    expect(alone).toMatchObject({ code: 4, stdout: '' });
    expect(alone.stderr).toMatch(
      /no lead is available: Claude Code is not installed[^]*--lead anthropic[^]*--lead rehearsal\n$/,
    );
    const keyed = await place.collab(['chat'], {
      input: 'Hi.\n',
      env: { CLAUDECODE: '1', OPENAI_API_KEY: 'sk-x' },
    });
    expect(keyed.stderr).toContain('OPENAI_API_KEY is set: collab chat --lead openai');
    expect(place.names()).toEqual([]);
    const tried = await place.collab(['chat', '--lead', 'rehearsal'], { input: 'Hi.\n' });
    expect(tried).toMatchObject({ code: 0, stdout: expect.stringContaining('I am a rehearsal') });
  });
});

/** A turn of the lead of the conversation. */
function converses(answer: string, more: object = {}): Turn {
  return leads({ work: 'converse' }, answer, more);
}

interface ChatInput {
  readonly input: readonly string[];
  readonly args?: readonly string[];
  readonly change?: () => void;
}

/** The turns come before a pair that settles each exchange. */
function chat(place: Place, turns: readonly Turn[], { input, args = [], change }: ChatInput) {
  const agents = pair(place, scriptOf(...turns));
  change?.();
  return place.collab(['chat', '--ascii', ...agents, ...args], { input: `${input.join('\n')}\n` });
}
