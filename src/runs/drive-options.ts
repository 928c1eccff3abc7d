import type { OpenedRun } from './folder/opened-run.ts';
import type { CallLedger } from '../engine/store/call-ledger.ts';
import type { PerformOptions } from '../engine/drive/perform-options.ts';

/** The options for driving a run of any kind. */
export interface DriveFolderOptions extends Pick<
  PerformOptions<unknown>,
  'runFolder' | 'store' | 'clock' | 'signal' | 'answerer' | 'recorded' | 'onEvent' | 'onCommit'
> {
  readonly runId: string;
  /** True if the run has records, for a run whose records are not in its folder. */
  readonly begun?: boolean;
  /** The run, if the caller has opened it already: then its input and change are not read again. */
  readonly opened?: OpenedRun;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Tenant and conversation of a new run; absent: the command line, in a conversation of its own. */
  readonly where?: { readonly tenantId: string; readonly conversationId: string };
  /** The limits that its paid calls share with other runs; absent: none. */
  readonly ledger?: CallLedger;
  /** Emitted as the title of its conversation when the run ends; absent: the conversation has a title. */
  readonly title?: string;
}
