/** The common part of a vendor's model: each turn is one request through its SDK. */
import { systemClock } from '../../system/clock.ts';
import type { Hearing } from '../client/hearing.ts';
import type { listenTo } from '../client/listen-to.ts';
import type { Model, ModelFailure, ModelTurn } from '../contract/model.ts';
import { priced } from '../profiles/pricing.ts';
import type { ApiConnection } from './api-key-provider.ts';

/** An answer, read to its end or up to an error of the API's side. */
export interface Spoken {
  readonly hearing: Pick<Hearing, 'end' | 'usage'>;
  readonly failed: Awaited<ReturnType<typeof listenTo>>;
}

/** Makes a model whose turns `speak` performs; `classify` maps an error of the API's side to the end of the turn. */
export function apiModel(
  { identity, profile }: Pick<ApiConnection, 'identity' | 'profile'>,
  speak: (request: ModelTurn) => Promise<Spoken>,
  classify: (failed: NonNullable<Spoken['failed']>, now: number) => ModelFailure,
): Model {
  return {
    identity,
    async turn(request) {
      request.signal.throwIfAborted();
      const { hearing, failed } = await speak(request);
      request.signal.throwIfAborted();
      const usage = hearing.usage();
      return {
        end: failed === null ? hearing.end() : classify(failed, systemClock.now()),
        usage: usage === null ? null : priced(usage, profile?.pricing),
      };
    },
    close: async () => {},
  };
}
