/** The second opinion for a user: with a lead that rejects, with a calling lead, and without a lead. */
import { describe } from 'vitest';
import { stringify } from 'yaml';
import { change, verdict, wholeAnswer } from '../../fixtures/review-answers.ts';
import { test, type Place } from '../place.ts';

const script = 'rehearsal:script.yaml';
const proof = '`src/total.ts:2`\n```\n  let sum = 0;\n```';

describe.concurrent('a second opinion', () => {
  test('that rejects by code of the file is printed with path and line, and the finding does not count', async ({
    place,
    expect,
  }) => {
    const reviewed = await place.collab([...review(place, verdict('reject', proof)), '--lead', script]);
    expect(reviewed).toMatchObject({ code: 0 });
    expect(reviewed.stderr).toContain('\n  second opinion by Rehearsal\n');
    expect(reviewed.stdout).toMatch(
      /Note: rejected by the lead, does not count: [^]*src\/total\.ts:2\n +let sum = 0;/,
    );
    expect(reviewed.stdout).toContain('second opinion by Rehearsal: 1 rejected');
    expect(await place.collab(['check'])).toMatchObject({ code: 0 });
  });

  test('that quotes invented code leaves the finding disputed, and it counts', async ({ place, expect }) => {
    const invented = proof.replace('let sum', 'let cents');
    const reviewed = await place.collab([...review(place, verdict('reject', invented)), '--lead', script]);
    expect(reviewed).toMatchObject({ code: 1 });
    expect(reviewed.stdout).toMatch(/disputed by the lead, but counts: its\s+rejection does not hold/);
  });

  test('is requested from the caller in one question, and its answer continues the run', async ({
    place,
    expect,
  }) => {
    const asked = await place.collab([...review(place, 'unused'), '--lead', 'caller']);
    expect(asked).toMatchObject({ code: 10 });
    expect(asked.stdout).toContain('You give the second opinion on the finding below.');
    const input = verdict('confirm', 'None', 'F1');
    const answered = await place.collab(['answer', 'latest', '--file', '-'], { input });
    expect(answered).toMatchObject({ code: 1 });
    expect(answered.stdout).toContain('Note: confirmed by the lead: They are whole cents.');
  });

  test('without a lead is off with a note; a required one is refused, and nothing is left', async ({
    place,
    expect,
  }) => {
    const off = await place.collab(review(place, 'unused'));
    expect(off).toMatchObject({ code: 1 });
    expect(off.stdout).toContain('no second opinion on the findings: no lead takes part');
    const runs = place.runs().length;
    const refused = await place.collab([...review(place, 'unused'), '--verify']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('--verify needs an agent that checks the findings: no lead takes part');
    expect(place.runs()).toHaveLength(runs);
  });
});

function review(place: Place, lead: string): readonly string[] {
  place.write('change.diff', change);
  const turns = [
    { repeat: 'forever', answer: wholeAnswer },
    { when: { work: 'verify' }, repeat: 'forever', answer: lead },
  ];
  place.write('script.yaml', stringify({ turns }));
  return ['review', 'change.diff', '--advisor', script];
}
