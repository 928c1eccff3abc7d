import { wrapToWidth } from '../../text/display-width.ts';
import type { Session } from '../session.ts';
import type { Log } from './progress-screen.ts';

const hanging = '    ';

/** Breaks the lines of the log between words; a terminal breaks them anywhere. */
export function wrapLog({ screen, err }: Session): Log {
  return (line) => {
    const [first = '', ...rest] = wrapToWidth(line, screen.columns - hanging.length);
    err(`${[first, ...rest.map((more) => hanging + more)].join('\n')}\n`);
  };
}
