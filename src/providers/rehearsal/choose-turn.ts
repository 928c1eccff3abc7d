/** Chooses the turn of the script that a call plays. */
import type { PlayedTurns } from './played-turns.ts';
import type { ScriptedTurn } from './script.ts';
import type { Situation } from './situation.ts';
import { roleOf, type When } from './when.ts';

/** Returns the index of the first turn that matches and is not used up; -1 if there is none. */
export function chooseTurn(
  turns: readonly ScriptedTurn[],
  played: Pick<PlayedTurns, 'count'>,
  situation: Situation,
): number {
  return turns.findIndex(
    (turn, index) =>
      (turn.repeat === 'forever' || played.count(index) < turn.repeat) && fits(turn.when, situation),
  );
}

function fits(when: When, situation: Situation): boolean {
  return (
    roleOf(when) === situation.role &&
    (when.work === 'verify' || !checksAsAdvisor(situation)) &&
    (when.contains === undefined || situation.prompt.includes(when.contains)) &&
    told.every((key) => when[key] === undefined || when[key] === situation[key])
  );
}

const told = ['phase', 'round', 'work', 'tag', 'consult', 'chunk', 'attempt'] as const;

/** A script that was written for reviews alone has no answer to it. */
function checksAsAdvisor({ role, work }: Situation): boolean {
  return role === 'advisor' && work === 'verify';
}
