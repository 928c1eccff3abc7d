/** The project that the hosts in these tests work on. */
import { stringify } from 'yaml';
import { advises, issue, leads, review, scriptOf } from '../../contract/workflow/workflow-script.ts';
import { change, wholeAnswer } from '../../fixtures/review-answers.ts';
import type { Place } from '../place.ts';
import { pair, project } from '../run-project.ts';

export const lines = ['export const one = 0;', 'export const two = 3;'];

/** A repository with a change of two faulty lines, and a pair that finds and fixes. */
export function faulty(place: Place): Readonly<Record<'lead' | 'advisor', string>> {
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
  const [, lead = '', , advisor = ''] = pair(place, script);
  return { lead, advisor };
}

/** The arguments of a review that waits for its caller's opinion. */
export function undecided(place: Place) {
  place.write('change.diff', change);
  const turns = [{ repeat: 'forever', answer: wholeAnswer }];
  place.write('script.yaml', stringify({ turns }));
  return { change: 'change.diff', advisor: 'rehearsal:script.yaml', lead: 'caller' };
}
