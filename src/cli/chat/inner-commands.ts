/** The protocol's commands as a conversation starts them, with the choices made in it. */
import { join } from 'node:path';
import { realPlace } from '../../system/files/in-folder.ts';
import { writeNew } from '../../system/files/write.ts';
import type { ChatFlags } from '../commands/chat-command.ts';
import { defaultFlags } from '../flags/default-flags.ts';
import { runInner, type InnerCommand } from './run-inner-command.ts';
import type { Program } from '../program.ts';
import type { Session } from '../session.ts';

export interface CollabHands {
  /** Runs a user's command, printing its output as it arrives. */
  readonly run: (args: readonly string[], signal: AbortSignal) => Promise<InnerCommand>;
  readonly runWithFile: (args: readonly string[], text: string, signal: AbortSignal) => Promise<InnerCommand>;
  /** Runs a lead's command, printing nothing; the lead answers what the advisor asks back. */
  readonly withFile: (args: readonly string[], text: string, signal: AbortSignal) => Promise<InnerCommand>;
  readonly advisor: () => string;
  readonly chooseAdvisor: (advisor: string) => void;
  /** Sets the folder for briefs. */
  readonly keepFilesIn: (folder: string) => void;
}

export interface CollabHandsOptions {
  readonly session: Session;
  readonly start: Program['start'];
  readonly flags: ChatFlags;
  readonly advisor: string;
}

export function createCollabHands({ session, start, flags, ...first }: CollabHandsOptions): CollabHands {
  let { advisor } = first;
  let folder = session.cwd;
  let briefs = 0;
  const isShown = flags.json !== true;

  function argsOf(args: readonly string[]): readonly string[] {
    const [command = ''] = args;
    if (command === 'answer') return args;
    const chosen = defaultFlags(args, {
      '--advisor': advisor === 'auto' ? undefined : advisor,
      '--config': flags.config,
      '--config-from': flags.configFrom,
      '--language': flags.language,
      '--budget-usd': flags.budgetUsd?.toString(),
      '--budget-tokens': flags.budgetTokens?.toString(),
      '--budget-calls': flags.budgetCalls?.toString(),
      '--lead': command === 'run' ? flags.lead : undefined,
    });
    return [...args, ...chosen];
  }

  function fileWith(text: string): string {
    const file = join(realPlace(folder), `brief-${session.clock.now()}-${(briefs += 1)}.md`);
    writeNew(file, text);
    return file;
  }

  return {
    run: (args, signal) => runInner(argsOf(args), { session, start, signal, shown: isShown }),
    runWithFile(args, text, signal) {
      const withBrief = [...argsOf(args), '--file', fileWith(text), ...(isShown ? ['--ask'] : [])];
      return runInner(withBrief, { session, start, signal, shown: isShown });
    },
    withFile: (args, text, signal) =>
      runInner([...argsOf(args), '--file', fileWith(text)], { session, start, signal, shown: false }),
    advisor: () => advisor,
    chooseAdvisor: (next) => (advisor = next),
    keepFilesIn: (path) => (folder = path),
  };
}
