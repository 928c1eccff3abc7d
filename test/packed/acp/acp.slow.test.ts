/** `collab acp` as an editor meets it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestPermissionRequest } from '@agentclientprotocol/sdk';
import { stringify } from 'yaml';
import { Deferred } from '../../../src/system/deferred.ts';
import { change, wholeAnswer } from '../../fixtures/review-answers.ts';
import { advises, issue, leads, review, scriptOf } from '../../contract/workflow/workflow-script.ts';
import { pair, project } from '../run-project.ts';
import { test, type Place } from '../place.ts';
import { openEditor, type Update } from './editor.ts';

const lines = ['export const one = 0;', 'export const two = 3;'];

/** A repository with a change of two faulty lines, and a configured pair that finds and fixes. */
function faulty(place: Place): void {
  project(place);
  place.write('src/one.js', `${lines.join('\n')}\n`);
  const found = lines.map((line, index) =>
    issue(index === 0 ? 'Critical' : 'Important', `line ${index + 1}`, line),
  );
  const fixed = { tag: '[REQUEST:REVIEW]', contains: 'Findings that the change is meant to fix' };
  const script = scriptOf(
    advises(fixed, review('None'), { repeat: 'forever' }),
    advises({ tag: '[REQUEST:REVIEW]' }, review(found.join('\n'))),
    leads({ work: 'implement' }, 'F1: fixed\nF2: refused: two is three here.\n', {
      edits: [{ path: 'src/one.js', content: `export const one = 1;\n${lines[1]}\n` }],
    }),
  );
  pair(place, script);
  configure(place, 'scripts/pair.yaml');
}

/** The person's own configuration: an editor sends no flags. */
function configure(place: Place, script: string): void {
  const agent = `rehearsal:${join(place.folder, script)}`;
  const folder = join(place.environment['HOME'] ?? '', '.config/collab');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'collab.config.yaml'), stringify({ lead: agent, advisor: agent }));
}

test('a person reviews, sees the findings at their lines, and lets one be fixed', async ({
  place,
  expect,
}) => {
  faulty(place);
  const asked: RequestPermissionRequest[] = [];
  const editor = await openEditor(place, {
    person(request) {
      asked.push(request);
      return request.options.find(({ kind }) => kind === 'allow_once')?.optionId ?? null;
    },
  });
  try {
    const session = await editor.open();
    expect(await editor.prompt(session, '/review --effort quick --lead none')).toBe('end_turn');
    const file = join(place.folder, 'src/one.js');
    expect(
      editor
        .of('tool_call')
        .filter(({ toolCallId }) => toolCallId.includes('/finding/'))
        .map(({ title, locations }) => ({ title, locations })),
    ).toEqual([
      { title: 'F1 Critical: line 1', locations: [{ path: file, line: 1 }] },
      { title: 'F2 Important: line 2', locations: [{ path: file, line: 2 }] },
    ]);
    expect(editor.said()).toContain('# Code review: findings');
    expect(statuses(editor.of('plan').at(-1))).toEqual(['completed', 'completed']);
    expect(asked).toEqual([]);

    expect(await editor.prompt(session, '/fix F1 F2')).toBe('end_turn');
    expect(asked.map(({ toolCall, options }) => [toolCall.title, options.map(({ kind }) => kind)])).toEqual([
      ['Let a lead fix the findings?', ['allow_once', 'reject_once']],
      ['Apply the changes to your files?', ['allow_once', 'reject_once']],
    ]);
    expect(JSON.stringify(asked[1])).toContain('+export const one = 1;');
    expect(place.read('src/one.js')).toBe(`export const one = 1;\n${lines[1]}\n`);
  } finally {
    expect(await editor.close()).toBe('');
  }
}, 240_000);

test('a cancelled prompt ends its run, and says so', async ({ place, expect }) => {
  place.write('change.diff', change);
  place.write(
    'scripts/slow.yaml',
    stringify({ turns: [{ repeat: 'forever', answer: wholeAnswer, delay_ms: 600_000 }] }),
  );
  configure(place, 'scripts/slow.yaml');
  const atWork = new Deferred<void>();
  const editor = await openEditor(place, {
    onUpdate({ update }) {
      if (update.sessionUpdate === 'plan' && statuses(update).includes('in_progress')) atWork.resolve();
    },
  });
  try {
    const session = await editor.open();
    const ended = editor.prompt(session, '/review change.diff --effort quick --lead none');
    await atWork.promise;
    await editor.agent.notify('session/cancel', { sessionId: session });
    expect(await ended).toBe('cancelled');
    expect(editor.said()).toContain('cancelled');
    expect(statuses(editor.of('plan').at(-1))).not.toContain('completed');
    const { stdout } = await place.collab(['status', 'latest', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'ended', outcome: 'incomplete' });
  } finally {
    expect(await editor.close()).toBe('');
  }
}, 120_000);

function statuses(plan: Update<'plan'> | undefined): readonly string[] {
  return (plan?.entries ?? []).map(({ status }) => status);
}
