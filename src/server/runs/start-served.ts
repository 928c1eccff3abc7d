/** Starts the run of a request to the server: with the server's own choices for what the request leaves out. */
import { resolve } from 'node:path';
import { may } from '../../access/permissions.ts';
import { requireMay } from '../../access/require.ts';
import { guestOf, type Guest, type Speaker } from '../../access/speaker.ts';
import { repositoryName } from '../../config/load-config.ts';
import { readsRepository } from '../access/reads-repository.ts';
import { absoluteScript } from '../../config/script-path.ts';
import { parseProviderChoice, providerNames } from '../../providers/contract/registry.ts';
import { CollabError } from '../../errors/collab-error.ts';
import type { Engine } from '../../runs/engine/engine.ts';
import type { OpenedRun } from '../../runs/folder/opened-run.ts';
import { startRequested, withReview } from '../../runs/start.ts';
import { submitReview, submitWorkflow } from '../../runs/submit.ts';
import type { StartPlace } from '../../runs/start/start-place.ts';
import type { StartDefaults, StartRequest } from '../../runs/start/start-request.ts';
import type { StartCall } from './run-ports.ts';
import { folderFor, isOwnChoice, type ServedFolder, type ServerChoices } from './served-place.ts';
import { skillFolder } from './served-skills.ts';

export interface StartingServer {
  readonly served: ServedFolder;
  readonly choices: ServerChoices;
  /** Aborted when the server stops. */
  readonly signal: AbortSignal;
}

/** @throws CollabError as `startRequested` */
export async function startServed(call: StartCall, server: StartingServer): Promise<OpenedRun> {
  const { request, place } = settleServed(call, server);
  return startRequested(request, place);
}

/** Submits a run to the workers of a database. @throws CollabError as `submitReview` and `submitWorkflow` */
export async function submitServed(
  call: StartCall,
  server: StartingServer,
  engine: Pick<Engine, 'start'>,
): Promise<OpenedRun> {
  const { request, place } = settleServed(call, server);
  const { owner } = call;
  switch (request.kind) {
    case 'review':
      return withReview(request, place, async (options) => {
        return (await submitReview(options, place, engine, { owner, priority: request.priority })).run;
      });
    case 'run':
      return (await submitWorkflow(request, place, engine, { owner, priority: request.priority })).run;
    case 'consult':
    case 'fix':
      throw new CollabError('internal', `${request.kind} does not travel`);
  }
}

function settleServed(
  { speaker, home, request, skills, signal }: StartCall,
  server: StartingServer,
): { readonly request: StartRequest; readonly place: StartPlace } {
  const { served, choices } = server;
  const cwd = folderFor(speaker, served);
  const [skill] = skills.map((name) => skillFolder(name, cwd));
  const guest = guestOf(speaker);
  const asked = guest === null ? request : withoutOwnChoices(request, choices, guest);
  const place = {
    home,
    cwd,
    env: { ...served.env, COLLAB_HOME: home, CLAUDECODE: undefined },
    clock: served.clock,
    signal: AbortSignal.any([server.signal, signal]),
    speaker,
    repository: repositoryName(served.cwd),
    defaults: { ...defaultsFor(speaker, served, choices), skill },
  };
  return { request: asked, place };
}

/** Drops an agent that only repeats the server's own choice: naming it needs no grant. */
function withoutOwnChoices(request: StartRequest, choices: ServerChoices, speaker: Guest): StartRequest {
  const { advisor } = request;
  const lead = request.kind === 'consult' ? undefined : request.lead;
  return {
    ...request,
    ...(advisor !== undefined && isOwnChoice(advisor, choices.advisor, speaker)
      ? { advisor: undefined }
      : {}),
    ...(lead !== undefined && isOwnChoice(lead, choices.lead, speaker) ? { lead: undefined } : {}),
  };
}

/** Returns the server's choices, as far as they apply to the speaker. @throws CollabError `forbidden` */
function defaultsFor(speaker: Speaker, { cwd }: ServedFolder, choices: ServerChoices): StartDefaults {
  const advisor = parseProviderChoice(choices.advisor ?? 'auto').provider;
  if (advisor !== 'auto' && !providerNames.includes(advisor)) {
    requireMay(speaker, { does: "run a provider's folder", what: advisor }, `the advisor ${advisor}`);
  }
  const isReader = may(speaker, readsRepository(cwd)).allowed;
  // A tenant's run works in another folder than the server.
  const absolute = (choice: string | undefined) =>
    choice === undefined ? undefined : absoluteScript(choice, cwd);
  return {
    advisor: absolute(choices.advisor),
    lead: absolute(choices.lead),
    language: choices.language,
    config: choices.config === undefined ? undefined : resolve(cwd, choices.config),
    config_from: isReader ? choices.config_from : undefined,
  };
}
