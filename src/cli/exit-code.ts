/** The one place that turns what happened into a process exit code (DESIGN §8). */
import type { ErrorCode } from '../errors/collab-error.ts';

export const exitCodes = {
  passed: 0,
  findings: 1,
  usage: 2,
  incomplete: 3,
  failed: 4,
  needsAnswer: 10,
  stillRunning: 11,
  interrupted: 130,
  terminated: 143,
} as const;

export function exitCodeOfError(code: ErrorCode): number {
  switch (code) {
    case 'usage':
    case 'config':
    case 'input':
    case 'empty_input':
    case 'range':
    case 'run_not_found':
    case 'result_file':
    case 'locked':
      return exitCodes.usage;
    case 'cancelled':
      return exitCodes.interrupted;
    case 'journal_corrupt':
    case 'journal_version':
    case 'replay_mismatch':
    case 'cli_missing':
    case 'auth':
    case 'model':
    case 'options':
    case 'rate_limit':
    case 'overloaded':
    case 'network':
    case 'timeout':
    case 'context_limit':
    case 'protocol':
    case 'not_built':
    case 'state_folder':
    case 'internal':
      return exitCodes.failed;
  }
}

export function exitCodeOfSignal(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): number {
  return signal === 'SIGINT' ? exitCodes.interrupted : exitCodes.terminated;
}
