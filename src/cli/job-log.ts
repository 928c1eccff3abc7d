/** Writes into the log of a CI job, in which the runner looks for commands. */
import { createJobCommandBreaker } from '../text/job-commands.ts';

/** Set by GitHub's runners (and compatible ones), Azure Pipelines and TeamCity. */
const runners = ['GITHUB_ACTIONS', 'TF_BUILD', 'TEAMCITY_VERSION'] as const;

/** Elsewhere the text is written unchanged. */
export function jobLog(
  env: Readonly<Record<string, string | undefined>>,
  write: (text: string) => void,
): (text: string) => void {
  if (runners.every((name) => !env[name])) return write;
  const breakCommands = createJobCommandBreaker();
  return (text) => write(breakCommands(text));
}
