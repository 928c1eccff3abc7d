/** Starts the run of a request and presents it: here, in the background, or only as a plan. */
import { CollabError } from '../../errors/collab-error.ts';
import type { RunFolder } from '../../runs/folder/run-folder.ts';
import type { ReviewOptions } from '../../runs/review/prepare.ts';
import type { StartDefaults, StartRequest } from '../../runs/start/start-request.ts';
import { isRemote, type RemoteFlags } from '../engine/remote-flags.ts';
import type { Session } from '../session.ts';
import type { PresentFlags } from './present-here.ts';

/** A command line that starts a run: the request, and how the run is shown. */
export interface StartLine {
  readonly request: StartRequest;
  readonly shown: ShownFlags;
}

export interface ShownFlags extends PresentFlags, RemoteFlags {
  readonly detach?: boolean | undefined;
  /** Shows what would be reviewed, and starts nothing. */
  readonly plan?: boolean | undefined;
  readonly showPrompt?: boolean | undefined;
}

/** Returns the exit code. @throws CollabError as the start of the run's kind */
export async function presentStart(
  session: Session,
  { request, shown }: StartLine,
  defaults?: StartDefaults,
  onStarted: (run: RunFolder) => void = () => undefined,
): Promise<number> {
  const { presentRun, followLimit } = await import('./present-run.ts');
  // Reports a wrong setting before anything starts.
  const isElsewhere = shown.detach === true || followLimit(session) !== null;
  const { startPlaceOf } = await import('./place-of.ts');
  const place = startPlaceOf(session, defaults);
  const { startRequested, startReview, withReview } = await import('../../runs/start.ts');
  const { kind } = request;
  if (kind === 'review' && shown.plan === true)
    return withReview(request, place, (options) => printPlan(session, options, shown));
  if (isRemote(shown))
    return (await import('../engine/present-remote.ts')).presentRemote(session, { request, shown, place });
  refuseUnqueued(request);
  if (kind !== 'review') {
    const started = await startRequested(request, place);
    onStarted(started);
    return presentRun(session, started, { ...shown, format: shown.format ?? started.format });
  }
  const hooks = { drivesHere: !isElsewhere, onBegun: () => void (isElsewhere ? null : preloadDrive()) };
  const started = await withReview(request, place, (options) => startReview(options, place, hooks), hooks);
  const { driveEarly } = await import('../../runs/review/early-agent.ts');
  const format = shown.format ?? started.format;
  return driveEarly(started.early, () => presentRun(session, started, { ...shown, format }));
}

/** @throws CollabError `usage` */
function refuseUnqueued(request: StartRequest): void {
  if (!('priority' in request) || request.priority === undefined) return;
  throw new CollabError('usage', `--priority ${request.priority} is for a run in the queue of workers`, {
    hint: 'Add --remote, or leave --priority out.',
  });
}

async function printPlan(session: Session, options: ReviewOptions, { showPrompt }: ShownFlags): Promise<0> {
  const { takeChange } = await import('../../runs/review/prepare.ts');
  const { renderPlan } = await import('./plan.ts');
  session.out(await renderPlan(await takeChange(options, { measures: true }), options, showPrompt === true));
  return 0;
}

function preloadDrive(): Promise<unknown> {
  return Promise.all([
    import('../../runs/review/prepare.ts'),
    import('./present-here.ts'),
    import('../../runs/review/drive.ts'),
  ]);
}
