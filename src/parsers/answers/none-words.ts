/** Words that mean "present, but empty" (X001-4), and those that mean a review found no problem. */

const emptyWords = new Set(
  [
    'none n/a na nothing nil なし 無し 特になし 特に無し 特にありません ありません 該当なし 該当無し',
    '特にない 特に無い 無',
  ]
    .join(' ')
    .split(' '),
);
const problem = '(?:issues?|problems?|findings?|concerns?|bugs?|blockers?|defects?)';
const grades = '(?:critical|important|minor)';
const place = '(?: (?:in|with|at|for|of) (?:this|the|these|any|that) [a-z]+(?: [a-z]+)?)?';
const seen =
  '(?: (?:were |was |have been |are )?(?:found|identified|detected|observed|noted|seen|spotted|reported|remaining|remain|to report|to flag))?';
const noProblem = new RegExp(`^(?:there (?:are|were|is) )?(?:no|zero|0) ${problem}${seen}${place}$`);
const noProblemOfAnyGrade = new RegExp(
  `^(?:there (?:are|were|is) )?no ${grades}(?:,? (?:or |and )?|/)${grades}(?:,? (?:or |and )?|/)${grades} ${problem}${seen}${place}$`,
);
const adjective =
  '(?:critical|important|minor|major|blocking|serious|severe|significant|notable|other|further|additional|new|such|known|obvious|remaining|real|actual)';
/** In characters. */
const longestStatement = 200;
const noProblemOfGrade = new RegExp(
  `^(?:there (?:are|were|is) )?(?:no|zero|0)(?: ${adjective}){0,2} ${problem}${seen}${place}$`,
);
const noneSeen =
  /^(?:none|nothing)(?: (?:were |was )?(?:found|identified|detected|observed|noted|seen|to report))$/;
const noProblemJapanese =
  /^(?:特に|重大な|重要な|軽微な|致命的な|大きな)*(?:問題|問題点|指摘|指摘事項|課題|懸念|不具合)(?:点|事項)?(?:は|も|が)?(?:特に)?(?:なし|無し|ありません|ありませんでした|ない|見つかりませんでした|見当たりません|見当たりませんでした)(?:でした)?$/;

/** Recognizes `None`, `N/A`, `なし`, `特になし`, `-`, however decorated. */
export function isEmptyWord(text: string): boolean {
  return /^[-–—]$/.test(text.trim()) || emptyWords.has(bare(text));
}

/** Recognizes an affirmative statement that there is no problem at all; "no major problems" does not count. */
export function saysNoProblem(text: string): boolean {
  const words = bare(text);
  if (isEmptyWord(text) || noneSeen.test(words) || noProblem.test(words)) return true;
  if (noProblemOfAnyGrade.test(words)) return sortedGrades(words) === 'critical important minor';
  return noProblemJapanese.test(words) && !/重大|重要|軽微|致命|大きな/.test(words);
}

/** Recognizes the same under a severity heading, where "no critical problems" is enough. */
export function saysNoProblemOfGrade(text: string): boolean {
  const words = bare(text);
  return saysNoProblem(text) || noProblemOfGrade.test(words) || noProblemJapanese.test(words);
}

function sortedGrades(words: string): string {
  return [...words.matchAll(/critical|important|minor/g)]
    .map(([grade]) => grade)
    .toSorted()
    .join(' ');
}

/**
 * Strips bullet, number, emphasis, brackets, emoji and closing punctuation from one line; returns '' for anything
 * longer.
 */
function bare(text: string): string {
  if (text.trim().length > longestStatement || /[\r\n]/.test(text.trim())) return '';
  return text
    .trim()
    .replace(/^(?:[-*+•]|\d{1,9}[.)])[ \t]+/, '')
    .replace(/^(?:\[[ xX]\][ \t]+)/, '')
    .replace(/^[^\p{L}\p{N}>]+/u, '')
    .replace(/[^\p{L}\p{N}]+$/u, '')
    .replaceAll(/[ \t]+/g, ' ')
    .toLowerCase();
}
