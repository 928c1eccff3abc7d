/** Detects missing abilities of an agent's program by using them: an older program names the option that it does not know. */
import { CollabError } from '../../errors/collab-error.ts';

/** Matches what programs write about an unknown option, and names it for the user. */
const refusals: readonly (readonly [pattern: RegExp, name: (first: string, second: string) => string])[] = [
  [/unknown option '?(--?[\w-]+)/, (option) => option],
  [/unexpected argument '(--?[\w-]+)/, (option) => option],
  [/[Uu]nknown feature flag: ([\w-]+)/, (feature) => `--disable ${feature}`],
  [/option '(--?[\w-]+)[^']*' argument '([\w-]+)' is invalid/, (option, value) => `${option} ${value}`],
  // Codex with --strict-config (0.169).
  [/unknown configuration field `([^`]+)` in -c/, (setting) => `-c ${setting}`],
  [/unknown variant `([^`]+)`[^\n]*\n\s*in `([\w.]+)`/, (value, setting) => `-c ${setting}="${value}"`],
];

/** Returns the option, feature or setting that the program refused on its standard error; null for any other text. */
export function missingAbility(said: string): string | null {
  for (const [pattern, name] of refusals) {
    const [, first, second = ''] = pattern.exec(said) ?? [];
    if (first !== undefined) return name(first, second);
  }
  return null;
}

export interface OldProgram {
  /** "Claude Code", "Codex". */
  readonly agent: string;
  readonly program: string;
  /** A result of {@link missingAbility}. */
  readonly ability: string;
  readonly install: InstallAdvice;
}

export interface InstallAdvice {
  /** A command that works on this Node. */
  readonly command: string;
  /** A remark for users of this Node; null for none. */
  readonly remark: string | null;
}

export function lacksAbility({ agent, program, ability, install }: OldProgram): CollabError {
  const remark = install.remark === null ? '' : ` ${install.remark}`;
  return new CollabError(
    'cli_missing',
    `The ${agent} at ${program} is too old: it does not support ${ability}.${remark}`,
    { hint: `Update it: ${install.command}`, details: { program, ability } },
  );
}

export interface PublishedPackage {
  readonly name: string;
  /** The major version of Node that its package requires in npm; the program itself needs none. */
  readonly node: number;
}

/**
 * Returns the install command. npm picks an older version of a package that requires a newer Node, unless a version or a tag
 * is named: then it only warns, and the native program runs anyway (seen on Node 20).
 */
export function installAdvice(wanted: PublishedPackage, nodeVersion = process.versions.node): InstallAdvice {
  const { name, node } = wanted;
  const command = `npm install --global ${name}`;
  if (Number.parseInt(nodeVersion, 10) >= node) return { command, remark: null };
  return {
    command: `${command}@latest`,
    remark: `Its package requires Node ${node}, so npm on Node ${nodeVersion} installs an old one unless a version or tag is named; the program runs here.`,
  };
}
