/** Requests damaged answers of an API and looks for silent losses and for errors of our own. */
import { integer, sample, tuple } from 'fast-check';
import { expect } from 'vitest';
import type { ModelReply } from '../../../src/providers/contract/model.ts';
import type { RawAnswer, RawUpstream } from '../../upstream/raw-server.ts';
import { damage, type Damage } from './damage.ts';
import type { ProviderFixture } from './fixture.ts';
import { answerOf, askAt, recordAnswers } from './recorded-answers.ts';

/** Returns the faults found in so many damages of each recorded answer. */
export async function findFaults(
  fixture: ProviderFixture,
  upstream: RawUpstream,
  draws: { readonly seed: number; readonly count: number },
): Promise<readonly string[]> {
  const faults: string[] = [];
  const number = integer({ min: 0, max: 2 ** 20 });
  for (const recorded of await recordAnswers(fixture)) {
    const { reply: sound } = await askAt(fixture, upstream.answerAt(answerOf(recorded)), recorded.streams);
    expect(sound.end.kind).toBe('said');
    const numbers = sample(tuple(number, number, number, number), { seed: draws.seed, numRuns: draws.count });
    for (const draw of numbers) {
      const damaged = damage(recorded.values, draw);
      const url = upstream.answerAt(cutAt(damaged, answerOf({ ...recorded, values: damaged.values })));
      const { reply } = await askAt(fixture, url, recorded.streams);
      const fault = faultOf(damaged, reply, sound);
      if (fault !== null) faults.push(`${recorded.streams ? 'streamed' : 'whole'}: ${fault}`);
    }
  }
  return faults;
}

/** Returns the faults of the reply to a damaged answer. */
function faultOf({ kind, place }: Damage, { end }: ModelReply, sound: ModelReply): string | null {
  if (end.kind === 'unavailable') return `unavailable: ${end.code}: ${end.message}`;
  if (end.kind !== 'said')
    return /Cannot read|is not a function|is not iterable|is not defined/.test(end.message)
      ? end.message
      : null;
  const isWhole = withoutIds(end) === withoutIds(sound.end);
  // The loop tells the model that the input of a call is not JSON.
  const isReported = end.parts.some((part) => part.type === 'tool_call' && typeof part.args === 'string');
  if (/\.(?:args|input)\.|\.arguments$/.test(place)) return null;
  // An answer with a missing field is legal and has less content; with a repeated or moved one it has the content
  // twice or elsewhere.
  return isWhole || isReported || kind !== 'retype'
    ? null
    : `${kind} ${place} loses a part: ${JSON.stringify(end)}`;
}

/** A call without an id gets one of ours. */
function withoutIds(end: ModelReply['end']): string {
  return JSON.stringify(end).replaceAll(/"(id|call)":"[^"]*"/g, '"$1":""');
}

function cutAt({ cut }: Damage, answer: RawAnswer): RawAnswer {
  if (cut === undefined) return answer;
  const last = String(answer.pieces.at(-1));
  return { ...answer, pieces: [...answer.pieces.slice(0, -1), last.slice(0, cut % last.length)] };
}
