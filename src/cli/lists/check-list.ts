/** The checks of `collab doctor`, with a hint below each that has one, and their sum. */
import { renderFactTable } from '../../views/tables/fact-table.ts';
import { outcomeStyle } from '../../views/tables/styles.ts';
import { neutralise } from '../../text/neutralise.ts';
import { neutralLine } from '../../text/neutral-line.ts';
import { renderCount } from '../../text/quantities.ts';
import { plain, styled, type Line } from '../../text/spans.ts';
import type { DoctorCheck } from '../commands/doctor-command.ts';

const words = { ok: 'ok', differs: 'differs', fails: 'FAILS' } as const;

export function renderChecks(checks: readonly DoctorCheck[], width: number): readonly Line[] {
  const rows = checks.map(({ name, state, text, hint }) => ({
    facts: [
      { cell: [styled(words[state], ...outcomeStyle(words[state]))] },
      { cell: [plain(neutralLine(name))] },
    ],
    text: [
      [plain(neutralLine(text))],
      ...(hint === null
        ? []
        : neutralise(hint)
            .split('\n')
            .map((line) => [styled(`→ ${line}`, 'bold')])),
    ],
  }));
  const table = { columns: [{ head: 'State' }, { head: 'Check' }], textHead: 'What was found', rows };
  return [...renderFactTable(table, width), [], [plain(sumOf(checks))]];
}

/** `9 checks: 7 ok, 1 differs, 1 fails`. */
function sumOf(checks: readonly DoctorCheck[]): string {
  const counts = Object.entries(verbs).map(([state, [one, many]]) => {
    const count = checks.filter((check) => check.state === state).length;
    return count === 0 ? null : `${count} ${count === 1 ? one : many}`;
  });
  return `${renderCount(checks.length, 'check')}: ${counts.filter((text) => text !== null).join(', ')}`;
}

const verbs: Readonly<Record<DoctorCheck['state'], readonly [string, string]>> = {
  ok: ['ok', 'ok'],
  differs: ['differs', 'differ'],
  fails: ['fails', 'fail'],
};
