/** Commands in this process, in a folder of a test. */
import { Readable } from 'node:stream';
import type { ScratchRepository } from '../../test/fixtures/scratch-repository.ts';
import { systemClock } from '../system/clock.ts';
import { runInSession } from './program.ts';
import type { Screen, Session } from './session.ts';

export interface Performed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Differences from a session in which everything is a pipe. */
export interface SessionHow extends Partial<Omit<Session, 'screen'>> {
  /** Standard input; default empty. */
  readonly input?: string;
  readonly screen?: Partial<Screen>;
}

/** Standard output and standard error can be colored, and both are a terminal. */
export const atTerminal: Partial<Screen> = {
  color: { out: true, err: true },
  interactive: { out: true, err: true },
};

/** A session, and what it printed so far. */
export function sessionIn(
  { root, env }: Pick<ScratchRepository, 'root' | 'env'>,
  { input = '', screen, ...more }: SessionHow = {},
): { readonly session: Session; readonly printed: () => Omit<Performed, 'code'> } {
  let [out, err] = ['', ''];
  const session: Session = {
    cwd: root,
    env,
    clock: systemClock,
    signal: new AbortController().signal,
    holdInterrupt: () => () => undefined,
    endedBy: () => null,
    // oxlint-disable-next-line no-unsafe-type-assertion -- what a command reads of a pipe
    stdin: Object.assign(Readable.from([Buffer.from(input)]), {
      isTTY: false,
    }) as unknown as NodeJS.ReadStream,
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    screen: {
      columns: 80,
      color: { out: false, err: false },
      interactive: { out: false, err: false },
      movesCursor: true,
      ...screen,
    },
    ...more,
  };
  return { session, printed: () => ({ out, err }) };
}

/** Carries out a command line as the program does. */
export async function collab(
  place: Pick<ScratchRepository, 'root' | 'env'>,
  args: readonly string[],
  how: SessionHow = {},
): Promise<Performed> {
  const { session, printed } = sessionIn(place, how);
  const code = await runInSession(args, session);
  return { code, ...printed() };
}
