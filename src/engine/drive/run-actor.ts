/** Runs a machine from its first state until it is done or the run is cancelled. */
import type { RunContext } from '../port.ts';

/** The part of an xstate actor that is used: its end, its fault and stopping it. */
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
  /** Called when the actor has stopped; its snapshot holds everything so far. */
  readonly cancelled: () => Ending;
}

/** Stays pending if the run leaves without an end. */
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
