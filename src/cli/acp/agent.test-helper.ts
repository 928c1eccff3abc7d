import { expect } from 'vitest';
import { advises, issue, leads, review, scriptOf } from '../../../test/contract/workflow/workflow-script.ts';
import { collabHome, listRuns } from '../../runs/folder/run-folder.ts';
import { createDesk, type Desk, type EditorHere, type Person } from './editor.test-helper.ts';

export const allows: Person = ({ options }) => ({
  outcome: { outcome: 'selected', optionId: options.find(({ kind }) => kind === 'allow_once')?.optionId },
});

export function runsOf({ session }: Desk) {
  return listRuns(collabHome(session));
}

export async function refusal(act: Promise<unknown>): Promise<{ code: unknown; message: string }> {
  return act.then(
    (value) => Promise.reject(new Error(`nothing was refused: ${JSON.stringify(value)}`)),
    (error: unknown) => ({
      code: Object(error).code,
      message: error instanceof Error ? error.message : String(error),
    }),
  );
}

export function faulty(desk: Desk): void {
  desk.repository.write('src/one.js', 'export const one = 0;\n');
}

export const finds = scriptOf(
  advises({ tag: '[REQUEST:REVIEW]' }, review(issue('Critical', 'Wrong', 'export const one = 0;'))),
);

export const fixes = scriptOf(
  advises({ tag: '[REQUEST:REVIEW]', contains: 'Findings that the change is meant to fix' }, review('None'), {
    repeat: 'forever',
  }),
  advises({ tag: '[REQUEST:REVIEW]' }, review(issue('Critical', 'Wrong', 'export const one = 0;'))),
  leads({ work: 'implement' }, 'F1: fixed\n', {
    edits: [{ path: 'src/one.js', content: 'export const one = 1;\n' }],
    repeat: 'forever',
  }),
);

/** Brings a fix to its last gate with a person who allows the start, then answers with `atGate`. */
export async function fixUntilGate(
  atGate: Person,
): Promise<{ desk: Desk; editor: EditorHere; session: string }> {
  const desk = createDesk(fixes);
  faulty(desk);
  const editor = await desk.connect((asked) =>
    asked.options.some(({ optionId }) => optionId === 'start') ? allows(asked) : atGate(asked),
  );
  const session = await editor.open();
  await editor.prompt(session, '/review --effort quick --lead none');
  expect(await editor.prompt(session, '/fix F1')).toBe('end_turn');
  return { desk, editor, session };
}
