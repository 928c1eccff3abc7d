/** The only place that turns an outcome or an error into a process exit code. */
import { isRefusal, type ErrorCode } from '../errors/collab-error.ts';

export const exitCodes = {
  passed: 0,
  findings: 1,
  usage: 2,
  incomplete: 3,
  failed: 4,
  needsAnswer: 10,
  stillRunning: 11,
  interrupted: 130,
  hungUp: 129,
  terminated: 143,
} as const;

export function exitCodeOfError(code: ErrorCode): number {
  if (code === 'cancelled') return exitCodes.interrupted;
  return isRefusal(code) ? exitCodes.usage : exitCodes.failed;
}

export function exitCodeOfSignal(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): number {
  switch (signal) {
    case 'SIGINT':
      return exitCodes.interrupted;
    case 'SIGTERM':
      return exitCodes.terminated;
    case 'SIGHUP':
      return exitCodes.hungUp;
  }
}
