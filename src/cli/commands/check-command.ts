/** `collab check`: checks the laws that a run's journal must keep (`references/events.md`). */
import { engineOf } from '../engine/engine-of.ts';
import { addCommandOfRun } from '../flags/command-of-run.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import type { Program } from '../program.ts';
import type { Session } from '../session.ts';
import { renderJson } from '../../text/render-json.ts';

export function addCheckCommand(program: Program): void {
  addCommandOfRun(program, { name: 'check', about: 'check the journal of a run' }, check)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  collab check latest\n');
}

async function check(
  session: Session,
  found: OpenedRun,
  flags: { readonly json?: boolean },
): Promise<number> {
  const { runId } = found;
  const { checkLaws } = await import('../../events/laws.ts');
  const events = await (await engineOf(session)).records(found);
  const violations = checkLaws(events);
  if (flags.json === true) {
    session.out(renderJson({ run: runId, events: events.length, violations }));
  } else {
    for (const { law, seq, message } of violations) session.out(`${law} at ${seq}: ${message}\n`);
    session.out(`${runId}: ${events.length} events, ${violations.length} violations\n`);
  }
  return violations.length === 0 ? 0 : 1;
}
