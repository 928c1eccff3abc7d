/** Exchanges of the installed command as their records show them: the parent of a part, the score of an answer about something else. */
import { stringify } from 'yaml';
import { test, type Place } from '../packed/place.ts';
import { recordsIn } from '../packed/records-in.ts';

const clean =
  '[RESPONSE:REVIEW]\n\n## STRENGTHS\n- `first` is clear\n\n## ISSUES\nNone\n\n## SUGGESTIONS\nNone\n';

/** Names nothing of the change. */
const other = `[RESPONSE:REVIEW]

## STRENGTHS
- A warm tomato soup with plenty of basil, garlic, onions, butter and black pepper.

## ISSUES
### Minor
1. **Too salty** — no place
   Why: guests complained about the broth yesterday evening.
   Fix: use half as much.

## SUGGESTIONS
- Serve it with bread.
`;

test('X001-13.2 the part that a shortened request lost is asked about in an exchange that names its parent', async ({
  place,
  expect,
}) => {
  place.write('long.diff', ['first', 'second', 'third'].map(longFile).join(''));
  const turns = [
    { when: { attempt: 1 }, fault: 'timed_out' },
    { answer: clean, repeat: 'forever' },
  ];
  const reviewed = await review(place, 'long.diff', turns);
  expect([reviewed.code, reviewed.stdout]).toEqual([0, expect.stringContaining('clean')]);
  const sent = (await records(place)).filter(({ type }) => type === 'exchange.sent');
  const families = sent.map((event) => [event['exchange_id'], event['attempt'], event['parent_exchange_id']]);
  expect(families.slice(0, 3)).toEqual([
    ['ex_chunk-1', 1, undefined],
    ['ex_chunk-1', 2, undefined],
    ['ex_chunk-1.rest', 1, 'ex_chunk-1'],
  ]);
  expect(await place.collab(['check'])).toMatchObject({ code: 0 });
});

test('R001-16 X001-11.5,6 an answer about something else is recorded with its reason and its score, and repaired once by the context', async ({
  place,
  expect,
}) => {
  place.write('long.diff', longFile('first'));
  const turns = [{ answer: other, repeat: 2 }, { answer: clean }];
  expect(await review(place, 'long.diff', turns)).toMatchObject({ code: 0 });
  const rejected = (await records(place)).filter(({ type }) => type === 'exchange.rejected');
  const detail = 'it names no file, symbol or line of the request and hardly shares a word with it';
  expect(rejected).toMatchObject([
    { reason: 'irrelevant', detail, action: 'recontextualising' },
    { reason: 'marker_absent', detail: `${detail}, again`, action: 'repairing' },
  ]);
  const scores = rejected.map(({ score }) => Number(score));
  expect(scores[0]).toBe(scores[1]);
  expect(scores.every((score) => score >= 0 && score < 0.05)).toBe(true);
});

test('XB-3 XB-5 in the records of a review each attempt has one end, each exchange too, and each text is the sum of its pieces', async ({
  place,
  expect,
}) => {
  place.write('long.diff', ['first', 'second', 'third'].map(longFile).join(''));
  const turns = [
    { when: { attempt: 1 }, fault: 'timed_out' },
    { answer: 'No marker.', messages: [{ text: 'I look.' }], delta_size: 3 },
    { answer: clean, repeat: 'forever', delta_size: 5 },
  ];
  expect(await review(place, 'long.diff', turns)).toMatchObject({ code: 0 });
  const all = await records(place);
  const count = (type: string) => all.filter((event) => event.type === type).length;
  const ends = all.filter(({ type }) => type === 'exchange.received' || type === 'exchange.rejected');
  const exchangeOf = (event: (typeof all)[number]) => event['exchange_id'];
  const sent = all.filter(({ type }) => type === 'exchange.sent').map(exchangeOf);
  expect(sent.length).toBeGreaterThan(3);
  for (const id of new Set(sent))
    expect(ends.filter((event) => exchangeOf(event) === id)).toHaveLength(
      sent.filter((name) => name === id).length,
    );
  expect(ends).toHaveLength(sent.length);
  expect(count('exchange.ended')).toBe(new Set(sent).size);
  const texts = new Map<unknown, string>();
  for (const event of all) {
    const block = JSON.stringify([event['exchange_id'], event['step'], event['block_id']]);
    if (event.type === 'text.delta') texts.set(block, (texts.get(block) ?? '') + String(event['text']));
    if (event.type === 'text.end') expect(event['text']).toBe(texts.get(block));
  }
  expect(texts.size).toBeGreaterThan(0);
});

function longFile(name: string): string {
  const lines = Array.from({ length: 60 }, (_, index) => `+export const ${name}${index} = ${index};\n`);
  return `diff --git a/src/${name}.ts b/src/${name}.ts\nnew file mode 100644\n--- /dev/null\n+++ b/src/${name}.ts\n@@ -0,0 +1,60 @@\n${lines.join('')}`;
}

function review(place: Place, change: string, turns: readonly object[]) {
  place.write('script.yaml', stringify({ turns }));
  return place.collab(['review', change, '--advisor', 'rehearsal:script.yaml']);
}

async function records(place: Place) {
  return recordsIn((await place.collab(['show', '--events'])).stdout);
}
