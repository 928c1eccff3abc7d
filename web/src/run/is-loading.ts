import type { UsedRun } from './use-run.ts';

interface LoadedRun extends Pick<UsedRun, 'connection'> {
  readonly run: Pick<UsedRun['run'], 'lastSeq'>;
  readonly detail: {
    readonly value: Pick<NonNullable<UsedRun['detail']['value']>, 'last_seq'> | null;
    readonly failure: object | null;
  };
}

/**
 * The parts above the tabs come with the first events: tabs that were there before would move. Events that end before the
 * server has described the run do not tell which tab fits it.
 */
export function isLoading({ detail, run, connection }: LoadedRun): boolean {
  const isComing = connection === 'connecting' || connection === 'open';
  if (detail.failure !== null || !(isComing || connection === 'over')) return false;
  return detail.value === null || (isComing && run.lastSeq === 0 && detail.value.last_seq > 0);
}
