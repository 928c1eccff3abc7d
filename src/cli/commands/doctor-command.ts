/** `collab doctor`: reports what works here and what does not, each with a hint; `--live` makes one real exchange. */
import type { AgentCheck } from '../../providers/program/agent-check.ts';
import type { Program } from '../program.ts';
import type { Session } from '../session.ts';
import { renderJson } from '../../text/render-json.ts';

interface DoctorFlags {
  readonly live?: boolean;
  readonly json?: boolean;
  readonly config?: string;
}

export type DoctorCheck = AgentCheck;

export function addDoctorCommand({ root, run }: Program): void {
  root
    .command('doctor')
    .description('show which agents can work here, and what is missing')
    .option('--live', 'make one real exchange with Codex, like a small review')
    .option('--json', 'print JSON')
    .option('--config <file>', 'use this configuration file instead of collab.config.yaml')
    .addHelpText('after', '\nExamples:\n  collab doctor\n  collab doctor --live\n')
    .action((flags: DoctorFlags) => {
      run((session) => diagnose(session, flags));
    });
}

async function diagnose(session: Session, flags: DoctorFlags): Promise<number> {
  const { checkClaude, checkCodex, checkCommands, checkProjectConfig, checkGit, checkNode, checkState } =
    await import('../setup/doctor-checks.ts');
  const { check: config, settings } = await checkProjectConfig(session, flags.config);
  const [git, commands, codex, claude] = await Promise.all([
    checkGit(session),
    checkCommands(),
    checkCodex(session, settings),
    checkClaude(session, settings),
  ]);
  const checks = [checkNode(), git, config, checkState(session), commands, ...codex, ...claude];
  const works = codex.every(({ state }) => state !== 'fails');
  if (flags.live === true && works) {
    const { checkLive } = await import('../setup/doctor-live.ts');
    checks.push(await checkLive(session, settings));
  }
  if (flags.json === true) session.out(renderJson(checks));
  else await printChecks(session, checks);
  return checks.some(({ state }) => state === 'fails') ? 4 : 0;
}

async function printChecks(session: Session, checks: readonly DoctorCheck[]): Promise<void> {
  const { renderChecks } = await import('../lists/check-list.ts');
  const { printList } = await import('../lists/print-list.ts');
  printList(session, (width) => renderChecks(checks, width));
}
