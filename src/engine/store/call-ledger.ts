/** The port for limits that the paid calls of many runs share: a tenant's budget of the day, and the rate of a provider's key. */

export interface WantedCall {
  /** The provider whose key pays. */
  readonly provider: string;
  /** The expected cost in US dollars; 0 if no price is known. */
  readonly usd: number;
}

export interface ReservedCall {
  readonly kind: 'reserved';
  /** Records the real cost in US dollars; null: the expected one counts. Never rejects: what is not settled counts as expected. */
  settle(usd: number | null): Promise<void>;
}

export interface RefusedCall {
  readonly kind: 'refused';
  /** Names the limit and the time at which it ends. */
  readonly message: string;
}

export interface CallLedger {
  /**
   * Reserves room for a call before it is made; waits while the rate of its provider is reached. The reservation of a
   * process that dies counts no longer.
   *
   * @throws the reason of `signal`, CollabError `network`
   */
  reserve(call: WantedCall, signal: AbortSignal): Promise<ReservedCall | RefusedCall>;
}

/** The rule of every budget in dollars: no call once it is used up, and none that would go beyond it. */
export function hasRoom(limit: number, taken: number, takenWithCall: number): boolean {
  return taken < limit && takenWithCall <= limit;
}
