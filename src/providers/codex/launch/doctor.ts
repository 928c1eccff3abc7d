/** The checks of `collab doctor` for Codex, each with a remedy if it fails. */
import { CollabError } from '../../../errors/collab-error.ts';
import { makeTemporaryFolder } from '../../../system/files/temporary.ts';
import { removeTree } from '../../../system/files/tree.ts';
import type { ProviderEnvironment } from '../../contract/contract.ts';
import { versionCheck, type AgentCheck } from '../../program/agent-check.ts';
import { testedVersion } from '../advisor.ts';
import { prepare, type PreparedCodex } from './prepare.ts';
import { connect } from './connect.ts';
import { probeArguments } from './launch-profile.ts';
import { programVersion, tooOld } from './program-version.ts';

export type CodexCheck = AgentCheck<'program' | 'version' | 'login' | 'sandbox'>;

/** Runs the checks. Starts no model turn. Stops at the first failure that the later checks depend on. */
export async function doctorCodex(environment: ProviderEnvironment): Promise<readonly CodexCheck[]> {
  const stateFolder = makeTemporaryFolder('collab-doctor-');
  try {
    const prepared = await prepare(environment, {
      stateFolder,
      timeoutMs: prepareTimeoutMs,
      withSandbox: true,
      withSeed: false,
    });
    await checkAbilities(prepared, environment.signal);
    return [
      { name: 'program', state: 'ok', text: prepared.program, hint: null },
      versionCheck(await programVersion(prepared, environment.signal), testedVersion),
      { name: 'login', state: 'ok', text: prepared.login.label ?? 'none needed', hint: null },
      ...sandboxCheck(prepared.sandbox),
    ];
  } catch (error) {
    if (!(error instanceof CollabError)) throw error;
    const name = error.code === 'auth' ? 'login' : 'program';
    return [{ name, state: 'fails', text: error.message, hint: error.hint }];
  } finally {
    await removeTree(stateFolder);
  }
}

const prepareTimeoutMs = 30_000;

/**
 * Checks the launch options: a server that does not know one of them ends before the handshake. Without `--strict-config`
 * it would ignore an unknown setting. @throws CollabError `cli_missing`
 */
async function checkAbilities(prepared: PreparedCodex, signal: AbortSignal): Promise<void> {
  const { program, env, cwd } = prepared;
  const missing = async (...options: readonly string[]): Promise<string | null> => {
    const args = ['app-server', ...options, ...probeArguments(prepared)];
    const connected = await connect({ file: program, args, cwd, env, timeoutMs: prepareTimeoutMs, signal });
    if (!connected.ok) return connected.ability;
    await connected.connection.stop();
    return null;
  };
  const strict = await missing(strictly);
  const ability = strict === strictly ? await missing() : strict;
  if (ability !== null) throw tooOld(program, ability);
}

const strictly = '--strict-config';

function sandboxCheck(probe: PreparedCodex['sandbox']): readonly CodexCheck[] {
  if (probe === null) return [];
  if (probe.works) return [{ name: 'sandbox', state: 'ok', text: 'starts', hint: null }];
  return [
    {
      name: 'sandbox',
      state: 'differs',
      text: `does not start (${probe.reason}): reviews continue with the diff alone`,
      hint: 'Allow user namespaces in this container, such as: sysctl user.max_user_namespaces=15000',
    },
  ];
}
