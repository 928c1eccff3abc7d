/** Where secrets were covered, and of what kind they are; never what they are. */
import type { ExchangeOutput } from '../../machine/exchange/exchange-types.ts';
import type { DiffFile, DiffLine } from '../../parsers/diff/types.ts';
import type { CoveredSecret } from '../../review/outcome/result.ts';
import { maskSecrets } from '../../secrets/mask-secrets.ts';
import { kindsOf } from '../../secrets/text-range.ts';

/** By comparing the files as they are with the files as they are sent, which differ in nothing else. */
export async function coveredInChange(
  files: readonly DiffFile[],
  masked: readonly DiffFile[],
): Promise<readonly CoveredSecret[]> {
  if (files === masked) return [];
  const found = files.flatMap((file, index) => {
    const lines = linesOf(masked[index]);
    return linesOf(file).flatMap((line, at) => (lines[at]?.text === line.text ? [] : [{ file, line }]));
  });
  const covered = await Promise.all(found.map(({ file, line }) => rulesOf(file, line)));
  return covered.flat();
}

function linesOf(file: DiffFile | undefined): readonly DiffLine[] {
  return file?.hunks.flatMap(({ lines }) => lines) ?? [];
}

async function rulesOf(file: DiffFile, line: DiffLine): Promise<readonly CoveredSecret[]> {
  const { found } = await maskSecrets(line.text);
  // Of a private key a line alone tells nothing.
  const rules = found.length === 0 ? ['private_key'] : kindsOf(found);
  const isOld = line.newLine === null;
  const place = {
    path: isOld ? (file.oldPath ?? file.path) : file.path,
    side: isOld ? 'old' : 'new',
    line: isOld ? line.oldLine : line.newLine,
  } as const;
  return rules.map((rule) => ({ in: 'change', rule, ...place, exchange: null }));
}

export function coveredInAnswers(exchanges: readonly ExchangeOutput[]): readonly CoveredSecret[] {
  return exchanges.flatMap(({ name, turns }) =>
    turns.flatMap(({ covered = [] }) =>
      covered.map((rule): CoveredSecret => ({
        in: 'answer',
        rule,
        path: null,
        side: null,
        line: null,
        exchange: name,
      })),
    ),
  );
}
