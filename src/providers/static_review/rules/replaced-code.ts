/** Rules for removed code: checks on the hunk's removed and added lines together. */
import type { DiffLine, Hunk } from '../../../parsers/diff/types.ts';
import type { ChangeHit, Elsewhere, Rule } from '../rule.ts';

const guard =
  /\b(require(Auth|Login|Role|Admin|Permission|Scope)\w*|ensure(Auth|Authenticated|LoggedIn|Permission)\w*|is(Admin|Authenticated|Authorized|LoggedIn|Owner|Allowed)|has(Permission|Role|Access|Scope)|can(Access|Edit|Delete|Read|Write|Refund)|check(Permission|Access|Auth|Signature)\w*|authorize\w*|verify(Signature|Token|Csrf|Password|Jwt)\w*|validate(Csrf|Token|Signature|Input)\w*|csrf\w*|login_required|permission_required|require_permission|check_permission\w*|verify_signature)\b|\b(throw|raise)\b.*\b(Forbidden|Unauthori[sz]ed|AccessDenied|PermissionDenied|NotAllowed)\w*|\b(status|sendStatus|abort)\((401|403)\)/i;

export const replacedCodeRules: readonly Rule[] = [
  {
    name: 'removed-check',
    severity: 'important',
    title: 'A permission or validity check was removed',
    why: 'The change takes the check away and puts none in its place: what it kept out now gets in.',
    fix: 'Keep the check, or say in the change which code does it now.',
    exemptTests: true,
    matches: [{ kind: 'change', languages: 'code', find: removedChecks }],
  },
  {
    name: 'removed-await',
    severity: 'important',
    title: 'An await was removed, the call stayed',
    why: 'The code continues before the work is done; its result is a promise and its failure is unhandled.',
    fix: 'Put the await back, or return the promise to a caller that awaits it.',
    matches: [
      { kind: 'change', languages: ['javascript', 'typescript', 'tsx', 'python'], find: removedAwaits },
    ],
  },
];

/**
 * Finds removed checks. A check that is added elsewhere in the file in another form, or word for word in another file,
 * was moved.
 */
const inRoute = /\b(use|all|get|post|put|patch|delete|route|before\w*|middleware\w*)\s*[(:=]/i;

/** Returns the check on a line: called, as a decorator, or given to a route. A value of such a name is none. */
function checkOn(text: string): string | null {
  const found = guard.exec(text);
  if (found === null) return null;
  const [name] = found;
  const isMade = /\W/.test(name) || text.slice(found.index + name.length).startsWith('(');
  return isMade || text.includes(`@${name}`) || inRoute.test(text) ? name : null;
}

function removedChecks(hunk: Hunk, { inFile, inChange }: Elsewhere): readonly ChangeHit[] {
  if (hunk.lines.some(({ kind, text }) => kind === 'added' && guard.test(text))) return [];
  return hunk.lines.flatMap((line) => {
    if (line.kind !== 'removed' || line.oldLine === null || isDeclaration(line.text)) return [];
    const name = checkOn(line.text);
    if (name === null || inFile.some((added) => added.includes(name))) return [];
    if (inChange.some((added) => added.trim() === line.text.trim())) return [];
    return [{ side: 'old' as const, line: line.oldLine }];
  });
}

/** Returns true for imports, definitions and comments, which name a check without making it. */
function isDeclaration(text: string): boolean {
  return /^\s*(import\b|export\b.*\bfrom\b|from\b|(export\s+)?(async\s+)?function\b|def\b|\/\/|#|\*|\/\*)|\brequire\(/.test(
    text,
  );
}

/** Finds a removed line with `await` and an added one that is the same without it. */
function removedAwaits(hunk: Hunk): readonly ChangeHit[] {
  const removed = new Set(
    hunk.lines.filter(({ kind, text }) => kind === 'removed' && /\bawait\s/.test(text)).map(withoutAwait),
  );
  const lines = hunk.lines.filter(({ kind }) => kind !== 'removed');
  return lines.flatMap((line, index) => {
    if (line.kind !== 'added' || line.newLine === null || /\bawait\s/.test(line.text)) return [];
    // An argument or an operand: the expression around it is awaited.
    if (/[,([=&|?:]\s*$|\breturn\s*$/.test(lines[index - 1]?.text ?? '')) return [];
    return removed.has(line.text.trim()) ? [{ side: 'new' as const, line: line.newLine }] : [];
  });
}

function withoutAwait(line: DiffLine): string {
  return line.text.trim().replace(/\bawait\s+/, '');
}
