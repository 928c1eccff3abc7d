/** Returns the flags that the command line does not set itself; an undefined value is no flag. */
export function defaultFlags(
  args: readonly string[],
  values: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  return Object.entries(values).flatMap(([flag, value]) =>
    value === undefined || isGiven(flag, args) ? [] : [flag, value],
  );
}

function isGiven(flag: string, args: readonly string[]): boolean {
  return args.some((arg) => arg === flag || arg.startsWith(`${flag}=`));
}
