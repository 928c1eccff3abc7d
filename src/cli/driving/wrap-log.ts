import { wrapHanging } from '../../text/display-width.ts';
import type { Session } from '../session.ts';
import type { Log } from './progress-screen.ts';

const indent = '    ';

/** Breaks the lines of the log between words; a terminal breaks them anywhere. */
export function wrapLog({ screen, err }: Session): Log {
  return (line) => err(`${wrapHanging(line, screen.columns, indent).join('\n')}\n`);
}
