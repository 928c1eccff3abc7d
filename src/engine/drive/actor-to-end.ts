/** Runs a machine from its first state until it is done or the run is cancelled (DESIGN §5). */
import type { RunContext } from '../types.ts';

/** What of an xstate actor is needed: its end, its fault, and that it stops. */
interface RunningActor<Output> {
  subscribe(observer: {
    next(snapshot: { readonly status: string; readonly output?: Output | undefined }): void;
    error(fault: unknown): void;
  }): unknown;
  start(): unknown;
  stop(): unknown;
}

export interface MachineEnds<Output, Ending> {
  readonly done: (output: Output) => Ending;
  /** The actor is stopped by then; its snapshot holds what there is so far. */
  readonly cancelled: () => Ending;
}

/** Stays pending where the run leaves without an end. */
export function runMachine<Output, Ending>(
  actor: RunningActor<Output>,
  { signal }: Pick<RunContext, 'signal'>,
  cancelled: AbortSignal,
  ends: MachineEnds<Output, Ending>,
): Promise<Ending> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => actor.stop(), { once: true });
    const cancel = () => {
      actor.stop();
      resolve(ends.cancelled());
    };
    cancelled.addEventListener('abort', cancel, { once: true });
    actor.subscribe({
      next({ status, output }) {
        if (status === 'done' && output !== undefined) resolve(ends.done(output));
      },
      error: reject,
    });
    actor.start();
    if (cancelled.aborted) cancel();
  });
}
