/** What is written into the log of a CI job, where the runner reads commands out of what is written. */
import { createJobCommandBreaker } from '../text/job-commands.ts';

/** Set by the runners of GitHub (and those that are like it), Azure Pipelines and TeamCity. */
const runners = ['GITHUB_ACTIONS', 'TF_BUILD', 'TEAMCITY_VERSION'] as const;

/** Anywhere else the text is written as it is. */
export function jobLog(
  env: Readonly<Record<string, string | undefined>>,
  write: (text: string) => void,
): (text: string) => void {
  if (runners.every((name) => !env[name])) return write;
  const breakCommands = createJobCommandBreaker();
  return (text) => write(breakCommands(text));
}
