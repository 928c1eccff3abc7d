import type { CollabEvent } from './collab-event.ts';

export type Law = 'XB-1' | 'XB-2' | 'XB-3' | 'XB-4' | 'XB-5';

export interface Violation {
  readonly law: Law;
  /** The `seq` of the record that breaks it; 0 if there is no record at all. */
  readonly seq: number;
  readonly message: string;
}

/** One law over one stream; called with each record in order. */
export type LawCheck = (event: CollabEvent) => readonly Violation[];
