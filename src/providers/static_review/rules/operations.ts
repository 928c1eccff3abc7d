/** Rules for shell, SQL, containers, pipelines and infrastructure: text rules only. */
import type { LinePlace, Rule } from '../rule.ts';
import { textMatch } from './matchers.ts';

export const operationRules: readonly Rule[] = [
  {
    name: 'world-writable',
    severity: 'important',
    title: 'Everyone on the machine may write here',
    why: 'Any user or process can put its own code or data in place.',
    fix: 'Give the owner what it needs: 600 or 700, 644 or 755.',
    exemptTests: true,
    matches: [
      textMatch(
        'code',
        /\bchmod\s+(-\w+\s+)*(0?777|0?666|a\+\w*w|o\+\w*w)\b|\bchmod(Sync)?\(.*\b0o?(777|666)\b/,
        {
          unless: /umask/,
        },
      ),
    ],
  },
  {
    name: 'download-piped-to-shell',
    severity: 'important',
    title: 'A download is run without being looked at',
    why: 'An attacker who controls the server, or cuts the connection halfway, decides what is executed.',
    fix: 'Download it, check its digest, then run it.',
    matches: [textMatch(['shell', 'docker', 'yaml'], /\b(curl|wget)\b[^|;]*\|\s*(sudo\s+)?(ba|z|da)?sh\b/)],
  },
  {
    name: 'recursive-delete-of-variable',
    severity: 'critical',
    title: 'rm -r below a variable that may be empty',
    why: 'With the variable unset the command deletes from the root of the file system.',
    fix: 'Write ${NAME:?} so that the shell stops when it is empty.',
    matches: [
      textMatch(
        ['shell', 'yaml', 'docker'],
        /\brm\s+-\w*[rR]\w*\s+(-\w+\s+)*["']?\$(\w+|\{\w+\})["']?\/(\*|["']?\s*($|[;&|]))/,
      ),
    ],
  },
  {
    name: 'statement-without-where',
    severity: 'critical',
    title: 'DELETE or UPDATE without WHERE',
    why: 'It changes every row of the table.',
    fix: 'Name the rows with WHERE, or use TRUNCATE if all are meant.',
    matches: [
      textMatch(['sql'], /^\s*DELETE\s+FROM\s+[\w."`]+\s*;/i),
      textMatch(['sql'], /^\s*UPDATE\s+[\w."`]+\s+SET\b(?!.*\bWHERE\b).*;/i, {
        when: (place) => !fillsNewColumn(place),
      }),
    ],
  },
  {
    name: 'rights-for-everyone',
    severity: 'important',
    title: 'Rights are given to everyone',
    why: 'Every account, also one that was taken over, may do it.',
    fix: 'Grant the single right to the single role that needs it.',
    matches: [
      textMatch(['sql'], /^\s*GRANT\s+ALL\b.*\bTO\s+(PUBLIC|'?%'?|.*@'%')/i),
      textMatch(['yaml'], /^\s*permissions:\s*write-all\b/),
      textMatch(
        ['terraform', 'settings', 'yaml'],
        /\b(Action|Resource|actions|resources|Principal)["']?\s*[:=]\s*\[?\s*["']\*["']/,
      ),
    ],
  },
  {
    name: 'open-to-the-world',
    severity: 'important',
    title: 'A port is opened to every address',
    why: 'The service can be reached, and attacked, from the whole internet.',
    fix: 'Name the networks that need it.',
    matches: [
      textMatch(
        ['terraform', 'yaml', 'settings'],
        /\b(cidr\w*|source_ranges|sourceRanges|CidrIp|loadBalancerSourceRanges)["']?\s*[:=]\s*\[?\s*["']?0\.0\.0\.0\/0/i,
      ),
    ],
  },
  {
    name: 'privileged-container',
    severity: 'important',
    title: 'A container gets all rights of its host',
    why: 'An attacker who breaks into the container owns the machine.',
    fix: 'Drop it and add the single capability that is needed.',
    matches: [
      textMatch(['yaml'], /^\s*-?\s*(privileged|allowPrivilegeEscalation):\s*true\b/),
      textMatch(['shell'], /\bdocker\s+run\s.*--privileged\b/),
    ],
  },
  {
    name: 'debug-mode-on',
    severity: 'important',
    title: 'Debug mode is switched on',
    why: 'Error pages show source, variables and secrets, some let the visitor run code.',
    fix: 'Read it from the environment and let it be off when nothing is set.',
    exemptTests: true,
    matches: [
      textMatch(['python'], /^\s*DEBUG\s*=\s*True\b|\bapp\w*\.run\(.*\bdebug\s*=\s*True\b/),
      textMatch(['php'], /\bini_set\(\s*['"]display_errors['"]\s*,\s*['"]?(1|on)/i),
    ],
  },
  {
    name: 'floating-image',
    severity: 'minor',
    title: 'An image without a fixed version',
    why: 'Tomorrow another image is pulled: what was tested is not what runs.',
    fix: 'Name a version, better a digest.',
    matches: [
      textMatch(['docker'], /^\s*FROM\s+(--\S+\s+)?[\w./-]+:latest\b/i),
      textMatch(['yaml'], /^\s*-?\s*image:\s*["']?[\w./-]+:latest\b/),
    ],
  },
];

/** A migration that adds a column fills it in every row. */
function fillsNewColumn({ texts, index }: LinePlace): boolean {
  const [, table, column] =
    /^\s*UPDATE\s+([\w."`]+)\s+SET\s+([\w"`]+)\s*=[^,;]*;/i.exec(texts[index] ?? '') ?? [];
  if (table === undefined || column === undefined) return false;
  return statementsBefore({ texts, index }).some((statement) => {
    if (!isSameName(alteredTable.exec(statement)?.[1], table)) return false;
    return [...statement.matchAll(addedColumn)].some(([, added]) => isSameName(added, column));
  });
}

const alteredTable = /\bALTER\s+TABLE\s+(?:ONLY\s+|IF\s+EXISTS\s+)*([\w."`]+)/i;
const addedColumn = /\bADD\s+(?:COLUMN\s+)?(?:IF\s+NOT\s+EXISTS\s+)?([\w"`]+)/gi;

function statementsBefore({ texts, index }: LinePlace): readonly string[] {
  return texts.slice(0, index).join('\n').split(';');
}

function isSameName(name: string | undefined, other: string): boolean {
  return name?.replace(/["`]/g, '').toLowerCase() === other.replace(/["`]/g, '').toLowerCase();
}
