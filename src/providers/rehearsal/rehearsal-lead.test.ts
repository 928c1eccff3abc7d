import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { EventBody } from '../../events/collab-event.ts';
import type { LeadAgent, LeadTurnRequest, LeadWork, TurnRequest } from '../contract/contract.ts';
import { createRehearsalProvider } from './rehearsal_client.ts';

let root: string;
let folder: string;
/** The agents' pauses, in order. */
let sleeps: number[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rehearsal-lead-'));
  folder = join(root, 'work');
  mkdirSync(folder);
  sleeps = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the turn that a lead’s call plays', () => {
  test('is chosen by phase, work, round, turn and text, and is never one of the advisor', async () => {
    const lead = await openLead([
      { answer: 'advisor', repeat: 'forever' },
      { when: { role: 'lead', contains: 'six' }, answer: 'by text' },
      { when: { work: 'draft', phase: 'design' }, answer: 'design', repeat: 'forever' },
      { when: { work: 'implement', round: 2 }, answer: 'second round' },
      { when: { work: 'implement', attempt: 3 }, answer: 'third turn' },
      { when: { work: 'answer_back' }, answer: 'back' },
    ]);
    const of = async (work: Partial<LeadWork>, about: Partial<LeadTurnRequest> = {}) =>
      brief((await call(lead, { work: { ...draft, ...work }, ...about })).result);
    expect(await of({ phase: 'design' })).toBe('design');
    expect(await of({ kind: 'implement', phase: 'implementation', round: 2 })).toBe('second round');
    expect(await of({ kind: 'implement' }, { callId: 'lead_implementation/1/work/3/1' })).toBe('third turn');
    expect(await of({ kind: 'answer_back' })).toBe('back');
    expect(await of({}, { prompt: 'the six of them' })).toBe('by text');
    expect(await of({ kind: 'settle' })).toBe('unavailable');
  });

  test('is reported if the script lacks it', async () => {
    const lead = await openLead([{ when: { work: 'draft' }, answer: 'x' }]);
    const { result } = await call(lead, { work: { ...draft, kind: 'settle', phase: 'design', round: 2 } });
    expect(result).toMatchObject({
      code: 'options',
      message:
        'the rehearsal script has no turn left for the lead: settle of design, round 2 (call lead_x/1/1)',
    });
  });

  test('comes from the same script as the advisor’s, with its own name, sessions and counts', async () => {
    const options = script([{ answer: 'advice' }, { when: { role: 'lead' }, answer: 'led' }], {
      agent: { name: 'Codex', session_id: 'one' },
      lead: { name: 'Claude Code', session_id: 'one' },
    });
    const provider = createRehearsalProvider({ clock: { sleep: noSleep } });
    const [advisor, lead] = [
      await provider.open({ ...options, reviewFolder: null }),
      await provider.openLead(options),
    ];
    expect([advisor.identity.displayName, lead.identity.displayName]).toEqual(['Codex', 'Claude Code']);
    expect(lead.edits).toBe(true);
    expect((await call(lead)).result).toMatchObject({ text: 'led', sessionId: 'one' });
    expect(await advisor.turn(advisorCall)).toMatchObject({ text: 'advice', sessionId: 'one' });
    expect(await lead.harvest('one', 'lead_x/1')).toMatchObject({ kind: 'answered', text: 'led' });
    expect(await advisor.harvest('one', 'ex_design-2-consult-3/1')).toMatchObject({ text: 'advice' });
  });
});

test('is chosen for an advisor by phase, round and consult too', async () => {
  const options = script([
    { when: { phase: 'review' }, answer: 'review' },
    { when: { phase: 'design', round: 1 }, answer: 'first round' },
    { when: { phase: 'design', round: 2, consult: 3 }, answer: 'third consult' },
  ]);
  const advisor = await createRehearsalProvider({ clock: { sleep: noSleep } }).open({
    ...options,
    reviewFolder: null,
  });
  expect(await advisor.turn(advisorCall)).toMatchObject({ text: 'third consult' });
});

describe('an edit', () => {
  test('writes, replaces and deletes in the folder before the answer, shown as tools', async () => {
    put('old.ts', 'old');
    put('src/total.ts', 'const total = 0;\n');
    const lead = await openLead([
      {
        when: { work: 'implement' },
        messages: [{ text: 'I change it.' }],
        edits: [
          { path: 'src/deep/new.ts', content: 'new\n' },
          { path: 'src/total.ts', replace: { from: '= 0', to: '= 1' } },
          { path: 'old.ts', delete: true },
          { path: 'src/deep/new.ts', content: 'newer\n' },
        ],
        edit_delay_ms: 7,
        answer: 'Done.',
      },
    ]);
    const { result, events } = await call(lead, { work: implement() });
    expect(brief(result)).toBe('Done.');
    expect(files('src/deep/new.ts', 'src/total.ts', 'old.ts')).toEqual([
      'newer\n',
      'const total = 1;\n',
      null,
    ]);
    expect(sleeps).toEqual([7, 7, 7, 7]);
    expect(events.flatMap(told)).toEqual([
      'say I change it.',
      'call Write {"file_path":"src/deep/new.ts","content":"new\\n"}',
      'changed add src/deep/new.ts',
      'result add src/deep/new.ts',
      'call Edit {"file_path":"src/total.ts","old_string":"= 0","new_string":"= 1"}',
      'changed update src/total.ts',
      'result update src/total.ts',
      'call Delete {"file_path":"old.ts"}',
      'changed delete old.ts',
      'result delete old.ts',
      'call Write {"file_path":"src/deep/new.ts","content":"newer\\n"}',
      'changed update src/deep/new.ts',
      'result update src/deep/new.ts',
      'say Done.',
    ]);
  });

  test('is refused in a turn that may only read, and the turn continues', async () => {
    put('a.ts', 'a');
    const lead = await openLead([editing({ path: 'a.ts', content: 'b' })]);
    const { result, events } = await call(lead, { work: { ...implement(), access: 'read' } });
    expect(brief(result)).toBe('ok');
    expect(events.flatMap(told)).toContain('error this turn may only read: nothing was changed');
    expect(files('a.ts')).toEqual(['a']);
  });

  test.each([
    ['../beside.txt', 'is outside of the folder'],
    ['src/../../beside.txt', 'is outside of the folder'],
    ['/etc/collab-rehearsal', 'is outside of the folder'],
    ['.', 'is outside of the folder'],
    ['.git/hooks/pre-commit', 'belongs to git'],
    ['vendor/.GIT/config', 'belongs to git'],
    ['linked/file.txt', 'goes through a link'],
    ['link.txt', 'goes through a link'],
  ])('of %s is refused: it %s', async (path, refusal) => {
    mkdirSync(join(root, 'elsewhere'));
    symlinkSync(join(root, 'elsewhere'), join(folder, 'linked'));
    symlinkSync(join(root, 'elsewhere', 'file.txt'), join(folder, 'link.txt'));
    const lead = await openLead([editing({ path, content: 'escaped' })]);
    const { events } = await call(lead, { work: implement() });
    expect(events.flatMap(told)).toContain(`error ${path} ${refusal}`);
    expect(events.filter(({ type }) => type === 'file.changed')).toEqual([]);
    expect(
      [join(root, 'beside.txt'), '/etc/collab-rehearsal', join(root, 'elsewhere/file.txt')].filter(
        existsSync,
      ),
    ).toEqual([]);
    expect(existsSync(join(folder, '.git'))).toBe(false);
  });

  test.each([
    [{ path: 'a.ts', replace: { from: 'z', to: 'y' } }, 'the text to replace occurs 0 times, not once'],
    [{ path: 'a.ts', replace: { from: 'a', to: 'b' } }, 'the text to replace occurs 2 times, not once'],
    [{ path: 'b.ts', replace: { from: 'a', to: 'b' } }, 'b.ts is not a file'],
    [{ path: 'b.ts', delete: true }, 'b.ts is not a file'],
    [{ path: 'src', delete: true }, 'src is not a file'],
    [{ path: 'src', content: 'x' }, 'src is not a file'],
    [{ path: 'a.ts/b.ts', content: 'x' }, 'ENOTDIR'],
  ])('%j that does not fit the file is told and changes nothing', async (edit, refusal) => {
    put('a.ts', 'a a');
    put('src/kept.ts', 'kept');
    const lead = await openLead([editing(edit)]);
    const { events } = await call(lead, { work: implement() });
    expect(events.flatMap(told)).toContain(`error ${refusal}`);
    expect(files('a.ts', 'src/kept.ts', 'b.ts')).toEqual(['a a', 'kept', null]);
  });

  test('before a fault is made, and a limit between two edits prevents the second one', async () => {
    const edits = [
      { path: 'a.ts', content: 'a' },
      { path: 'b.ts', content: 'b' },
    ];
    const dying = { when: { work: 'implement', round: 1 }, edits: edits.slice(0, 1), fault: 'die' };
    const slow = { when: { work: 'implement' }, edits, edit_delay_ms: 60, answer: 'late' };
    const lead = await openLead([dying, slow], { totalMs: 70 });
    expect((await call(lead, { work: implement() })).result).toMatchObject({ code: 'died' });
    expect(files('a.ts', 'b.ts')).toEqual(['a', null]);
    const second = await call(lead, { work: { ...implement(), round: 2 } });
    expect(second.result).toMatchObject({ kind: 'timed_out', limit: 'total' });
    expect(files('a.ts', 'b.ts')).toEqual(['a', null]);
  });
});

describe('a faulty script', () => {
  test.each([
    [{ edits: [{ path: 'a', content: 'a' }], answer: 'x' }, 'only a lead edits'],
    [{ when: { role: 'advisor', work: 'draft' }, answer: 'x' }, 'an advisor has no work'],
    [
      { when: { role: 'lead', tag: '[REQUEST:REVIEW]' }, answer: 'x' },
      'tag, chunk and consult are the advisor’s',
    ],
    [
      { when: { role: 'lead' }, edits: [{ path: 'a', delete: true, content: '' }], answer: 'x' },
      'an edit has a path',
    ],
  ])('%j is refused with its place', async (turn, message) => {
    await expect(openLead([turn])).rejects.toMatchObject({
      code: 'options',
      message: expect.stringMatching(new RegExp(`script.yaml:\\d+:\\d+: turns\\.0.*${message}`)),
    });
  });
});

const draft: LeadWork = { kind: 'draft', phase: 'requirements', round: 1, access: 'read', folder: null };

function implement(): LeadWork {
  return { kind: 'implement', phase: 'implementation', round: 1, access: 'edit', folder };
}

function editing(edit: object): object {
  return { when: { role: 'lead' }, edits: [edit], answer: 'ok' };
}

const advisorCall: TurnRequest = {
  request: {
    tag: '[CONSULT:DESIGN]',
    question: '',
    sections: [],
    required: [],
    optional: [],
    change: null,
    language: null,
  },
  prompt: 'Look.',
  callId: 'ex_design-2-consult-3/1/1',
  sessionId: null,
  signal: new AbortController().signal,
  emit: () => {},
  bind: async () => {},
};

function script(turns: readonly object[], head: object = {}, limits: object = {}) {
  writeFileSync(join(root, 'script.yaml'), stringify({ ...head, turns }));
  return {
    env: {},
    cwd: root,
    settings: {},
    signal: new AbortController().signal,
    runId: 'run-1',
    model: 'script.yaml',
    stateFolder: join(root, 'state'),
    instructions: 'You lead.',
    limits: { firstSignMs: 30_000, firstByteMs: 300_000, idleMs: 300_000, totalMs: 1_800_000, ...limits },
  };
}

async function openLead(turns: readonly object[], limits: object = {}): Promise<LeadAgent> {
  return createRehearsalProvider({ clock: { sleep: noSleep } }).openLead(script(turns, {}, limits));
}

async function call(lead: LeadAgent, about: Partial<LeadTurnRequest> = {}) {
  const events: EventBody[] = [];
  const result = await lead.turn({
    work: draft,
    prompt: 'Draft it.',
    callId: 'lead_x/1/1',
    sessionId: null,
    signal: new AbortController().signal,
    emit: (event) => void events.push(event),
    bind: async () => {},
    ...about,
  });
  return { result, events };
}

async function noSleep(ms: number): Promise<void> {
  sleeps.push(ms);
}

function put(path: string, content: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

function files(...paths: readonly string[]): readonly (string | null)[] {
  return paths.map((path) =>
    existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : null,
  );
}

function brief(result: Awaited<ReturnType<LeadAgent['turn']>>): string {
  return result.kind === 'answered' ? result.text : result.kind;
}

function told(event: EventBody): readonly string[] {
  if (event.type === 'text.end') return [`say ${event.text}`];
  if (event.type === 'tool.call') return [`call ${event.name} ${JSON.stringify(event.args)}`];
  if (event.type === 'tool.result') return [`${event.is_error ? 'error' : 'result'} ${event.content}`];
  return event.type === 'file.changed' ? [`changed ${event.kind} ${event.path}`] : [];
}
