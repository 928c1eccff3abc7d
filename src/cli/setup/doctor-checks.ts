/** The checks of `collab doctor` that cost nothing. */
import { loadConfig } from '../../config/load-config.ts';
import { defaultSettings, type Settings } from '../../config/settings-table.ts';
import { CollabError } from '../../errors/collab-error.ts';
import { thisPlatform } from '../../system/platform.ts';
import { confinementHere } from '../../system/probe-confinement.ts';
import { runCommand } from '../../system/run-command.ts';
import { safePath } from '../../system/safe-path.ts';
import { doctorClaude } from '../../providers/claude_code/doctor.ts';
import { doctorCodex } from '../../providers/codex/launch/doctor.ts';
import type { ProviderEnvironment } from '../../providers/contract/contract.ts';
import { flattenProviderSettings } from '../../runs/agents/advisor-question.ts';
import { openStateFolder, removeStateFolder } from '../../runs/folder/state-folder.ts';
import { neutralise } from '../../text/neutralise.ts';
import type { DoctorCheck } from '../commands/doctor-command.ts';
import { printableError } from '../printable-error.ts';
import type { Session } from '../session.ts';

const oldestNode = [20, 19] as const;

export function checkNode(version: string = process.version): DoctorCheck {
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number);
  const isOld = major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1]);
  return {
    name: 'node',
    state: isOld ? 'fails' : 'ok',
    text: version,
    hint: isOld ? `collab needs Node ${oldestNode.join('.')} or newer` : null,
  };
}

/** Without git, a diff file can still be reviewed. */
export async function checkGit(session: Session): Promise<DoctorCheck> {
  const result = await runCommand({
    file: 'git',
    args: ['--version'],
    cwd: session.cwd,
    env: { PATH: safePath(session.env, session.cwd) },
    maxOutputBytes: 1024,
    timeoutMs: 10_000,
    signal: session.signal,
  });
  if (result.exitCode === 0) return { name: 'git', state: 'ok', text: result.stdout.trim(), hint: null };
  return {
    name: 'git',
    state: 'differs',
    text: 'not found: collab can review only diff files and standard input',
    hint: 'install git, for example: apt-get install git',
  };
}

export async function checkProjectConfig(
  session: Session,
  path: string | undefined,
): Promise<{ readonly check: DoctorCheck; readonly settings: Settings }> {
  try {
    const loaded = await loadConfig({
      cwd: session.cwd,
      env: session.env,
      ...(path === undefined ? {} : { path }),
    });
    const text = loaded.path ?? 'no collab.config.yaml; the defaults apply';
    return {
      check: { name: 'config', state: 'ok', text: neutralise(text), hint: null },
      settings: loaded.config,
    };
  } catch (error) {
    if (!(error instanceof CollabError)) throw error;
    const check: DoctorCheck = {
      name: 'config',
      state: 'fails',
      text: printableError(error.message),
      hint: error.hint,
    };
    return { check, settings: defaultSettings };
  }
}

/** Checks the folder in which agents keep their state of a run. */
export function checkState(session: Session): DoctorCheck {
  try {
    const folder = openStateFolder(stateProbe, session);
    removeStateFolder(stateProbe, session);
    return { name: 'state', state: 'ok', text: folder.slice(0, -stateProbe.length - 1), hint: null };
  } catch (error) {
    if (!(error instanceof CollabError)) throw error;
    return { name: 'state', state: 'fails', text: printableError(error.message), hint: error.hint };
  }
}

const stateProbe = `doctor-${process.pid}`;

/** Checks whether commands that the user or a lead runs with Bash are confined, so that none of their processes survive. */
export async function checkCommands(confining = confinementHere()): Promise<DoctorCheck> {
  const confinement = await confining;
  if (confinement.kind === 'namespaces') {
    return { name: 'commands', state: 'ok', text: 'run in their own process namespace', hint: null };
  }
  return {
    name: 'commands',
    state: 'differs',
    text: neutralise(
      `cannot be confined (${confinement.reason}): leads and guests get no Bash, and yours asks first`,
    ),
    hint:
      thisPlatform.os === 'linux'
        ? 'Install util-linux and allow namespaces here, such as: sysctl user.max_user_namespaces=15000'
        : null,
  };
}

export async function checkCodex(session: Session, settings: Settings): Promise<readonly DoctorCheck[]> {
  const checks = await doctorCodex(environmentOf(session, settings));
  return checks.map((check) => ({ ...check, name: `codex ${check.name}`, text: neutralise(check.text) }));
}

/** Checks the lead: a review works without one, and inside Claude Code the caller leads. */
export async function checkClaude(session: Session, settings: Settings): Promise<readonly DoctorCheck[]> {
  const checks = await doctorClaude(environmentOf(session, settings));
  return checks.map((check) => ({ ...check, name: `claude ${check.name}`, text: neutralise(check.text) }));
}

function environmentOf(session: Session, settings: Settings): ProviderEnvironment {
  return {
    env: session.env,
    cwd: session.cwd,
    settings: flattenProviderSettings(settings.providers),
    signal: session.signal,
  };
}
