/** The only place that turns an outcome or an error into a process exit code. */
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
  hungUp: 129,
  terminated: 143,
} as const;

export function exitCodeOfError(code: ErrorCode): number {
  switch (code) {
    case 'usage':
    case 'forbidden':
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
    case 'file':
    case 'internal':
      return exitCodes.failed;
  }
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
