import { renderCount } from '../../../../src/client/review.ts';
import { useWords } from '../../words/language.tsx';
import { defineWords } from '../../words/words.ts';
import type { FindingFate, FixedFinding } from './fix-news.ts';

const fate: Readonly<Record<JudgedFate, string>> = {
  fixed: 'Fixed: the line is gone, and the review of the fix did not report it',
  not_seen_again: 'Not reported again after the fix, but its line is still there',
  still_there: 'Still there after the fix: the review reported it again',
  refused: 'The lead refused to fix it',
  unanswered: 'The fix left it open: its line is still there',
};
const applied: Readonly<Record<FindingFate['applied'], string>> = {
  applied: 'The patch was applied to your files.',
  left: 'The patch was not applied to your files.',
  refused: 'The patch does not fit your files any more, and was not applied.',
};

const en = {
  open: 'Fix …',
  head: 'Fix findings',
  about:
    'The lead changes a copy of your files, and the advisor reviews the change. You see the patch; nothing is applied before you agree.',
  choose: 'Findings to fix',
  start: (number: number) => (number === 0 ? 'Fix' : `Fix ${renderCount(number, 'finding')}`),
  starting: 'Starting …',
  cancel: 'Cancel',
  chooseOne: 'Choose a finding first.',
  refused: {
    403: 'You may not start a fix.',
    404: 'The review is not there any more.',
    409: 'Another run of this conversation has not ended.',
    422: 'This review cannot be fixed.',
    503: 'The lead or the advisor is not ready.',
  } as Readonly<Record<number, string>>,
  failed: 'The fix did not start.',
  fate,
  applied,
  openFix: 'Open the fix',
  running: 'A fix of findings is running.',
  waiting: 'A fix of findings waits for your answer.',
  report: 'Result of the fix',
};
type FixWords = typeof en;
type JudgedFate = FixedFinding['fate'];

const ja: FixWords = {
  open: '修正 …',
  head: '指摘の修正',
  about:
    '主導役がファイルの写しを変更し、相談役がその変更をレビューします。差分を確認して同意するまで、ファイルには何も適用されません。',
  choose: '修正する指摘',
  start: (number) => (number === 0 ? '修正' : `${number} 件を修正`),
  starting: '開始中 …',
  cancel: 'やめる',
  chooseOne: '指摘を選んでください。',
  refused: {
    403: '修正を開始する権限がありません。',
    404: 'このレビューはもうありません。',
    409: 'この会話の別の実行がまだ終わっていません。',
    422: 'このレビューは修正できません。',
    503: '主導役または相談役の準備ができていません。',
  },
  failed: '修正を開始できませんでした。',
  fate: {
    fixed: '修正済み: 行はなくなり、修正のレビューでも指摘されませんでした',
    not_seen_again: '修正後は指摘されていませんが、行は残っています',
    still_there: '修正後も残っています: レビューで再び指摘されました',
    refused: '主導役が修正を断りました',
    unanswered: '修正されずに残っています: 行はそのままです',
  },
  applied: {
    applied: '差分はファイルに適用されました。',
    left: '差分はファイルに適用されていません。',
    refused: '差分がファイルに合わなくなったため、適用されませんでした。',
  },
  openFix: '修正を開く',
  running: '指摘の修正を実行中です。',
  waiting: '指摘の修正があなたの回答を待っています。',
  report: '修正の結果',
};

const fixWords = defineWords({ en, ja });

export function useFixWords(): FixWords {
  return useWords(fixWords);
}
