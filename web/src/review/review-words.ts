import type {
  FileStatus,
  Finding,
  Outcome,
  ReviewResult,
  Severity,
  SkippedBy,
} from '../../../src/client/run-events.ts';
import { renderCount, renderNumber, type DiffFile } from '../../../src/client/review.ts';
import { useWords } from '../words/language.tsx';
import { defineWords } from '../words/words.ts';

const severity: Readonly<Record<Severity, string>> = {
  critical: 'Critical',
  important: 'Important',
  minor: 'Minor',
};
const outcome: Readonly<Record<Outcome, string>> = {
  clean: 'Clean',
  findings: 'Findings',
  nothing_reviewed: 'Nothing reviewed',
  incomplete: 'Incomplete',
  failed: 'Failed',
};
/** The meaning and the limits of each outcome. */
const meaning: Readonly<Record<Outcome, string>> = {
  clean: 'The whole change was covered, and nothing that counts was found.',
  findings: 'The whole change was covered, and there is something to look at.',
  nothing_reviewed: 'The change holds nothing that could be reviewed, so nothing can be said about it.',
  incomplete: 'Not all of the change was reviewed. This is not a clean result.',
  failed: 'Nothing was reviewed.',
};
const state: Readonly<Record<Exclude<ReviewResult['state'], 'ended'>, string>> = {
  running: 'Not finished: the review is running',
  waiting: 'Not finished: the review waits for an answer',
  interrupted: 'Not finished: the review was interrupted',
};
const assurance: Readonly<Record<ReviewResult['assurance'], string>> = {
  model:
    'Each reviewed line was in the prompt of an exchange that settled: it was shown and a whole answer came back, which is no proof that the model thought about it.',
  static: 'Static checks only: no model looked.',
  none: 'No model looked.',
};
const status: Readonly<Record<FileStatus, string>> = {
  reviewed: 'reviewed',
  scanned: 'scanned by rules only',
  skipped: 'skipped',
  failed: 'not reviewed',
};
/** The same words as in the reports. */
const skippedBy: Readonly<Record<SkippedBy, string>> = {
  collab: status.skipped,
  repository: 'left out by the repository',
  user: 'left out on request',
};
const change: Readonly<Record<DiffFile['change'], string>> = {
  added: 'added',
  deleted: 'deleted',
  modified: 'changed',
  renamed: 'renamed',
  copied: 'copied',
  mode_changed: 'mode changed',
};
const verdict: Readonly<Record<Finding['verdict'], string>> = {
  unverified: 'not checked',
  confirmed: 'confirmed in a second look',
  disputed: 'disputed in a second look, but counts',
  rejected: 'rejected in a second look, does not count',
};
const claim: Readonly<Record<NonNullable<Finding['claim']>, string>> = {
  correctness: 'correctness',
  security: 'security',
  data_loss: 'data loss',
  concurrency: 'concurrency',
  performance: 'performance',
  compatibility: 'compatibility',
  error_handling: 'error handling',
  tests: 'tests',
  clarity: 'clarity',
};
const replacementUnused: Readonly<Record<NonNullable<Finding['replacement_unused']>, string>> = {
  masked: 'Its replacement does not count: it contains a masked value.',
  quotation: 'Its replacement does not count: the lines that it replaces were not found exactly.',
  unclear:
    'Its replacement does not count: it has marks of a diff, line numbers, omissions or invisible characters.',
};
const opinion: Readonly<Record<NonNullable<ReviewResult['second_opinion']>['state'], string>> = {
  given: 'Every Critical and Important finding was checked again.',
  missing: 'Not every Critical and Important finding could be checked again.',
  not_needed: 'No finding needed a second opinion.',
  off: 'No second opinion was asked for.',
};

const en = {
  review: 'Review',
  outcome,
  meaning,
  state,
  cleanUnproven: 'Nothing that counts was found.',
  nothingLooked: 'Nothing was looked at.',
  noReview: 'Done: no review among the phases',
  assurance,
  reasons: 'Reasons',
  details: 'What was looked at, and how',
  coverageOf: (reviewed: number, scanned: number, all: number) =>
    `${renderNumber(reviewed)} of ${renderCount(all, 'changed line')} reviewed` +
    (scanned === 0 ? '' : `, ${renderNumber(scanned)} scanned by rules only`),
  statusCount: (number: number, kind: FileStatus) => `${renderCount(number, 'file')} ${status[kind]}`,
  opinion,
  sameFamily: 'Lead and advisor are of the same family.',
  baseline: ({
    run_id,
    new: fresh,
    still_there,
    fixed,
    not_seen_again = [],
  }: NonNullable<ReviewResult['baseline']>) =>
    `Since the baseline ${run_id}: ${fresh} new, ${still_there} still there, ${fixed.length} fixed` +
    (not_seen_again.length === 0 ? '.' : `, ${not_seen_again.length} not seen again.`),
  suppressions: (file: string, suppressed: number, expired: number) =>
    `${renderCount(suppressed, 'finding')} suppressed by ${file}; ${renderCount(expired, 'entry', 'entries')} of it expired.`,
  cached: (number: number, all: number) =>
    `${number} of ${renderCount(all, 'exchange')} answered from the cache: the same lines were reviewed before.`,
  covered: (number: number) => `${renderCount(number, 'secret')} masked:`,
  coveredInAnswer: 'in an answer',
  findings: 'Findings',
  noFindings: 'No findings.',
  noneShown: 'No finding has a chosen severity.',
  known: (number: number) =>
    `${renderCount(number, 'finding')} that ${number === 1 ? 'does' : 'do'} not count`,
  knownHead: 'Do not count',
  filter: 'Show by severity',
  severity,
  severityCount: (kind: Severity, number: number) => `${severity[kind]} (${number})`,
  next: 'Next finding',
  previous: 'Previous finding',
  position: (at: number, all: number) => (at === 0 ? renderCount(all, 'finding') : `${at} of ${all}`),
  copy: 'Copy',
  copyPrompt: 'Copy findings as a prompt',
  copyOnePrompt: 'Copy as a prompt',
  layout: 'Layout of the change',
  layouts: { unified: 'Unified', split: 'Split' },
  mayBeMore: 'The review is incomplete: there may be more to fix than this.',
  copyLink: 'Copy link',
  keys: 'Keys',
  keysHead: 'Keys in a review',
  close: 'Close',
  keyHelp: {
    next: 'Next finding',
    previous: 'Previous finding',
    fix: 'Fix findings',
    dismiss: 'Dismiss the finding',
    help: 'Show these keys',
  },
  assumed: 'assumed: the advisor named none',
  verdict,
  why: 'Why',
  fix: 'Fix',
  claim,
  replacement: 'Replacement',
  removesLines: 'Remove these lines.',
  replacementUnused,
  evidence: 'What the second look says',
  proof: (place: string) => `The second look quotes ${place}`,
  quotation: 'Quotation',
  onOldSide: 'On a removed line: the number is the old one.',
  loosePlace: 'Its quotation differs from these lines, for example in white space.',
  notInChange: 'Its quotation is not in the change.',
  ofFile: 'About the file as a whole',
  inBaseline: 'Known from the baseline: it is still there, and does not count.',
  suppressed: (until: string | null, reason: string) =>
    `Suppressed${until === null ? '' : ` until ${until}`}, does not count: ${reason}`,
  suppressionExpired: (day: string, reason: string) =>
    `Its suppression expired on ${day}, it counts again: ${reason}`,
  causedByFix: 'It is in lines that the last fix changed.',
  unplaced: 'Without a line in the change',
  files: 'Files',
  filesLabel: 'Changed files and their status',
  file: 'File',
  statusHead: 'Status',
  reason: 'Reason',
  noChange: 'The text of the change is not available; findings are listed without it.',
  change,
  skippedBy,
  renamedFrom: (path: string) => `from ${path}`,
  status,
  binary: 'A binary file: its content is not shown.',
  onlyMode: (from: string, to: string) => `Only its mode changed: ${from} → ${to}`,
  onlyName: 'Only its name changed.',
  emptyFile: 'An empty file.',
  changeOf: (path: string) => `Change of ${path}`,
  lineCounts: (added: number, removed: number) => `${added} added, ${removed} removed`,
  folded: (number: number) => `${renderCount(number, 'line')} not shown`,
  showMore: (number: number) => `Show ${renderCount(number, 'line')}`,
  added: 'added',
  removed: 'removed',
  suggestions: 'Suggestions',
  strengths: 'Strengths',
  findingCount: (number: number) => renderCount(number, 'finding'),
};
export type ReviewWords = typeof en;

const jaSeverity: typeof severity = { critical: '重大', important: '重要', minor: '軽微' };
const jaStatus: typeof status = {
  reviewed: 'レビュー済み',
  scanned: 'ルールのみで検査',
  skipped: '対象外',
  failed: '未レビュー',
};

const ja: ReviewWords = {
  review: 'レビュー',
  outcome: {
    clean: '問題なし',
    findings: '指摘あり',
    nothing_reviewed: 'レビュー対象なし',
    incomplete: '未完了',
    failed: '失敗',
  },
  meaning: {
    clean: '変更全体が対象となり、数えるべき指摘はありませんでした。',
    findings: '変更全体が対象となり、確認すべき指摘があります。',
    nothing_reviewed: 'レビューできる内容がないため、この変更については何も言えません。',
    incomplete: '変更の一部がレビューされていません。問題なしという結果ではありません。',
    failed: '何もレビューされていません。',
  },
  state: {
    running: '終わっていません: レビュー実行中',
    waiting: '終わっていません: 回答待ち',
    interrupted: '終わっていません: 中断されました',
  },
  cleanUnproven: '数えるべき指摘はありませんでした。',
  nothingLooked: '何も見られていません。',
  noReview: '完了: レビューの段階はありませんでした',
  assurance: {
    model:
      'レビュー済みの行は、成立したやりとりの依頼文に含まれていました。行が示され回答が揃ったという意味であり、モデルが熟考した証明ではありません。',
    static: '静的検査のみ: モデルは見ていません。',
    none: 'モデルは見ていません。',
  },
  reasons: '理由',
  details: '何をどう見たか',
  coverageOf: (reviewed, scanned, all) =>
    `変更 ${all} 行のうち ${reviewed} 行をレビュー` +
    (scanned === 0 ? '' : `、${scanned} 行をルールのみで検査`),
  statusCount: (number, kind) => `${jaStatus[kind]}: ${number} ファイル`,
  opinion: {
    given: '「重大」と「重要」の指摘はすべて再確認されました。',
    missing: '「重大」と「重要」の指摘の一部は再確認できませんでした。',
    not_needed: '確認を要する指摘はありませんでした。',
    off: '再確認は行われていません。',
  },
  sameFamily: '主導役と相談役は同じ系列です。',
  baseline: ({ run_id, new: fresh, still_there, fixed, not_seen_again = [] }) =>
    `基準 ${run_id} から: 新規 ${fresh}、継続 ${still_there}、解消 ${fixed.length}` +
    (not_seen_again.length === 0 ? '。' : `、再指摘なし ${not_seen_again.length}。`),
  suppressions: (file, suppressed, expired) =>
    `${file} による抑制 ${suppressed} 件、期限切れ ${expired} 件。`,
  cached: (number, all) => `やりとり ${all} 件のうち ${number} 件は以前の回答です。`,
  covered: (number) => `秘密情報 ${number} 件を伏せ字にしました:`,
  coveredInAnswer: '回答の中',
  findings: '指摘',
  noFindings: '指摘はありません。',
  noneShown: '選んだ重大度の指摘はありません。',
  known: (number) => `数えない指摘 ${number} 件`,
  knownHead: '数えない指摘',
  filter: '重大度で絞り込む',
  severity: jaSeverity,
  severityCount: (kind, number) => `${jaSeverity[kind]} (${number})`,
  next: '次の指摘',
  previous: '前の指摘',
  position: (at, all) => (at === 0 ? `${all} 件` : `${all} 件中 ${at} 件目`),
  copy: 'コピー',
  copyPrompt: '指摘を指示文としてコピー',
  copyOnePrompt: '指示文としてコピー',
  layout: '変更の表示方法',
  layouts: { unified: '統合', split: '左右' },
  mayBeMore: 'レビューは未完了です。直すべき点はほかにもあるかもしれません。',
  copyLink: 'リンクをコピー',
  keys: 'キー操作',
  keysHead: 'レビューのキー操作',
  close: '閉じる',
  keyHelp: {
    next: '次の指摘',
    previous: '前の指摘',
    fix: '指摘を修正',
    dismiss: '指摘を却下',
    help: 'この一覧を表示',
  },
  assumed: '推定: 相談役は示していません',
  verdict: {
    unverified: '未確認',
    confirmed: '再確認で認定',
    disputed: '再確認で異議、それでも数える',
    rejected: '再確認で却下、数えない',
  },
  why: '理由',
  fix: '修正',
  claim: {
    correctness: '正しさ',
    security: 'セキュリティ',
    data_loss: 'データ損失',
    concurrency: '並行処理',
    performance: '性能',
    compatibility: '互換性',
    error_handling: 'エラー処理',
    tests: 'テスト',
    clarity: '分かりやすさ',
  },
  replacement: '置き換え',
  removesLines: 'この行を削除します。',
  replacementUnused: {
    masked: '置き換えは使われません: 伏せ字の値が含まれています。',
    quotation: '置き換えは使われません: 対象の行が正確に見つかりません。',
    unclear: '置き換えは使われません: 差分の記号、行番号、省略、または不可視文字があります。',
  },
  evidence: '再確認の説明',
  proof: (place) => `再確認での引用: ${place}`,
  quotation: '引用',
  onOldSide: '削除された行です。番号は変更前のものです。',
  loosePlace: '引用は空白などがこの行と異なります。',
  notInChange: '引用は変更の中に見つかりません。',
  ofFile: 'ファイル全体について',
  inBaseline: '基準に既にある指摘です。数えません。',
  suppressed: (until, reason) => `抑制中${until === null ? '' : ` (${until} まで)`}、数えません: ${reason}`,
  suppressionExpired: (day, reason) => `抑制は ${day} に期限切れとなり、再び数えます: ${reason}`,
  causedByFix: '直前の修正が変えた行にあります。',
  unplaced: '変更の行に結び付かない指摘',
  files: 'ファイル',
  filesLabel: '変更されたファイルとその扱い',
  file: 'ファイル',
  statusHead: '状態',
  reason: '理由',
  noChange: '変更の本文がないため、指摘だけを示します。',
  change: {
    added: '追加',
    deleted: '削除',
    modified: '変更',
    renamed: '名前変更',
    copied: '複製',
    mode_changed: 'モード変更',
  },
  renamedFrom: (path) => `元: ${path}`,
  status: jaStatus,
  skippedBy: {
    collab: jaStatus.skipped,
    repository: 'リポジトリの設定により除外',
    user: '利用者の指定により除外',
  },
  binary: 'バイナリーファイルのため内容は示しません。',
  onlyMode: (from, to) => `モードだけの変更: ${from} → ${to}`,
  onlyName: '名前だけの変更です。',
  emptyFile: '空のファイルです。',
  changeOf: (path) => `${path} の変更`,
  lineCounts: (added, removed) => `追加 ${added} 行、削除 ${removed} 行`,
  folded: (number) => `${number} 行を省略`,
  showMore: (number) => `${number} 行を表示`,
  added: '追加',
  removed: '削除',
  suggestions: '提案',
  strengths: '良い点',
  findingCount: (number) => `指摘 ${number} 件`,
};

const reviewWords = defineWords({ en, ja });

export function useReviewWords(): ReviewWords {
  return useWords(reviewWords);
}
