/** The fields of the input of every run that starts. */
import { masked } from '../../secrets/mask-secrets.ts';
import type { Clock } from '../../system/clock.ts';
import { timestampOf } from '../../text/timestamp.ts';
import { flattenProviderSettings, type AdvisorOptions } from '../agents/advisor-question.ts';
import { newFenceSeed } from '../calls/fence-nonce.ts';
import type { RunInput } from '../folder/run-input.ts';

interface CommonOptions extends Pick<AdvisorOptions, 'cwd' | 'providerSettings'> {
  readonly clock: Clock;
  readonly notes?: readonly string[];
}

interface ChosenAdvisor {
  readonly advisor: Omit<RunInput['advisor'], 'settings'>;
  readonly price: RunInput['price'];
}

export function commonInput(
  { cwd, clock, providerSettings, notes = [] }: CommonOptions,
  { advisor, price }: ChosenAdvisor,
): Pick<RunInput, 'schema' | 'started_at' | 'cwd' | 'advisor' | 'fence_seed' | 'price' | 'notes'> {
  return {
    schema: 'collab.input/v1',
    started_at: timestampOf(clock),
    cwd,
    advisor: { ...advisor, settings: flattenProviderSettings(providerSettings) },
    fence_seed: newFenceSeed(),
    price,
    notes: notes.map((note) => masked(note)),
  };
}
