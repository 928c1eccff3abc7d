/** A review whose lead is an agent: it answers the advisor's questions. */
import { describe } from 'vitest';
import { stringify } from 'yaml';
import { example, test, type Place } from '../place.ts';
import { recordsIn } from '../records-in.ts';

const asks = { answer: '[CONSULT:CLAUDE:CONTEXT]\n\nWhat is it for?\n' };
const clean = {
  when: { attempt: 2 },
  answer:
    '[RESPONSE:REVIEW]\n\n## STRENGTHS\n- `total` is clear\n\n## ISSUES\nNone\n\n## SUGGESTIONS\nNone\n',
};

describe.concurrent('a review with a lead', () => {
  test('X001-7.4 has what the advisor asks back answered by it, in a session of its own', async ({
    place,
    expect,
  }) => {
    const lead = { when: { work: 'answer_back' }, answer: 'A shop in yen.' };
    const reviewed = await place.collab(review(place, [asks, clean, lead]));
    expect(reviewed.code).toBe(0);
    const answered = await answeredBack(place);
    expect(answered).toMatchObject([
      { by: 'lead', text: 'A shop in yen.', agent: { id: 'lead', role: 'lead', provider: 'rehearsal' } },
    ]);
    expect(JSON.parse((await place.collab(['show', '--json'])).stdout)).toMatchObject({
      outcome: 'clean',
      lead: { provider: 'rehearsal', model: 'script.yaml' },
    });
    expect(await place.collab(['check'])).toMatchObject({ code: 0 });
  });

  test('X001-8 goes on where that asks back itself, or cannot answer', async ({ place, expect }) => {
    const nested = { when: { work: 'answer_back' }, answer: '[CONSULT:DESIGN]\n\nWhat do you mean?' };
    expect((await place.collab(review(place, [asks, clean, nested]))).code).toBe(0);
    expect(await answeredBack(place)).toMatchObject([
      { by: 'lead', declined: expect.stringContaining('asked back itself'), text: nested.answer },
    ]);
    expect((await place.collab(review(place, [asks, clean]))).code).toBe(0);
    expect(await answeredBack(place)).toMatchObject([
      { by: 'lead', declined: expect.stringMatching(/^the lead could not answer: /) },
    ]);
  });

  test('refuses a lead that cannot lead, and two answerers', async ({ place, expect }) => {
    const refused = await Promise.all([
      place.collab(['review', example('harmless.diff'), '--lead', 'static_review']),
      place.collab(['review', example('harmless.diff'), '--lead', 'caller', '--ask']),
    ]);
    expect(refused.map(({ code, stderr }) => `${code} ${stderr.split('\n')[0]}`)).toEqual([
      '2 collab: static_review cannot lead',
      '2 collab: --ask and --lead both choose who answers the advisor',
    ]);
    expect(place.runs()).toEqual([]);
  });
});

function review(place: Place, turns: readonly object[]): readonly string[] {
  place.write('script.yaml', stringify({ turns }));
  const script = 'rehearsal:script.yaml';
  return ['review', example('harmless.diff'), '--advisor', script, '--lead', script];
}

async function answeredBack(place: Place): Promise<readonly unknown[]> {
  const { stdout } = await place.collab(['show', '--events']);
  return recordsIn(stdout).filter(({ type }) => type === 'exchange.answered_back');
}
