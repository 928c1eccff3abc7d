/** The owner's own configuration, which applies in every folder. */
import { isAbsolute, join } from 'node:path';

/** Returns null if the environment names no home. */
export function userConfigFile(
  env: Readonly<Record<string, string | undefined>>,
  fileName: string,
): string | null {
  const { XDG_CONFIG_HOME: config, HOME: home } = env;
  if (config !== undefined && isAbsolute(config)) return join(config, 'collab', fileName);
  return home !== undefined && isAbsolute(home) ? join(home, '.config', 'collab', fileName) : null;
}
