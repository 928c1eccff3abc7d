import type { ReactElement } from 'react';
import { reasonCodes, sentenceOf, type ReasonCode } from '../../../src/client/review.ts';
import { neutralise } from '../../../src/client/run-events.ts';
import { sentenceCase } from './sentence-case.ts';
import { useLanguage } from './language.tsx';

/**
 * A reason for an outcome: `code: sentence`. In Japanese the code has a sentence of its own. The server's sentence is
 * shown behind it if it has more than the code, such as the names of files or the words of an agent.
 */
export function ReasonText({ reason }: { readonly reason: string }): ReactElement {
  const { language } = useLanguage();
  const code = reasonCodes.find((known) => reason === known || reason.startsWith(`${known}: `));
  const sentence = neutralise(sentenceOf(reason));
  if (language === 'en') return <Folded text={sentenceCase(sentence)} />;
  const own = (
    <span lang="en">
      <Folded text={sentence} />
    </span>
  );
  if (code === undefined) return own;
  return (
    <>
      {japanese[code]}
      {!whole.has(code) && <> ({countsIn(sentence) ?? own})</>}
    </>
  );
}

/** The words of several agents in one sentence fill a page: its beginning opens the rest. */
function Folded({ text }: { readonly text: string }): ReactElement {
  if (text.length <= mostShown) return <>{text}</>;
  const end = text.lastIndexOf(' ', mostShown);
  const cut = end < mostShown / 2 ? mostShown : end;
  return (
    <details className="long-reason">
      <summary>{text.slice(0, cut)} …</summary>
      {text.slice(cut).trim()}
    </details>
  );
}

const mostShown = 320;

/** Returns the numbers of findings in Japanese; null if the sentence has more than them. */
function countsIn(sentence: string): string | null {
  const [, failing, all] = /^([\d,]+) findings? [a-z ]+, ([\d,]+) in all$/.exec(sentence) ?? [];
  if (failing !== undefined && all !== undefined) return `全 ${all} 件のうち ${failing} 件`;
  const [, below] =
    /^([\d,]+) findings?, (?:none [a-z ]+|which never fail this review)$/.exec(sentence) ?? [];
  return below === undefined ? null : `${below} 件`;
}

/** Codes that say everything; numbers of findings and lines are shown beside the reasons. */
const whole: ReadonlySet<ReasonCode> = new Set([
  'no_findings',
  'static_checks_only',
  'nothing_changed',
  'no_model_reviewer',
  'no_review',
  'cancelled',
  'not_finished',
]);

const japanese: Readonly<Record<ReasonCode, string>> = {
  no_findings: 'すべてのやりとりが完了し、数える指摘はありませんでした',
  findings_at_threshold: '失敗とみなす重大度の指摘があります',
  findings_below_threshold: '指摘はありますが、失敗とみなす重大度ではありません',
  static_checks_only: '静的なルールのみで、モデルは見ていません',
  nothing_changed: '変更は空です',
  nothing_reviewable: 'レビューできる変更がありません',
  no_model_reviewer:
    'エージェントが見つからず、モデルは見ていません。静的なルールでは数える指摘はありませんでした',
  lines_not_shown: '完了したやりとりに含まれなかった変更行があります',
  file_unreadable: '読み取れないファイルがあります',
  text_too_long: 'レビューできる長さを超える追加があります',
  file_hidden: '変更自身の無視ルールで隠れるファイルがあります',
  rules_failed: '静的なルールが失敗し、何も調べていません',
  second_opinion_missing: 'セカンドオピニオンが得られませんでした',
  protocol_exhausted: '相談役が決められた形式で回答しませんでした',
  time_spent: '完全な回答が届く前に時間切れになりました',
  budget_spent: '完全な回答が届く前に予算を使い切りました',
  prompt_too_long: 'プロンプトが相談役の上限より長いです',
  agent_missing: 'エージェントがインストールされていないか、古すぎます',
  agent_login: 'エージェントにログインしていません',
  agent_quota: 'エージェントの利用枠を使い切りました',
  agent_model: '指定されたモデルをエージェントが利用できません',
  agent_options: 'エージェントが依頼を拒否しました',
  agent_overloaded: 'エージェントの過負荷が続きました',
  agent_unreachable: 'エージェントのモデルに接続できませんでした',
  agent_silent: 'エージェントのモデルから回答が届きませんでした',
  agent_died: 'エージェントが回答せずに終了しました',
  internal_fault: 'collab 自体の不具合です',
  rounds_spent: '修正の回数を使い切りました',
  not_converging: '指摘が減りませんでした',
  nothing_implemented: '何も実装されませんでした',
  without_advice: '主導が相談役の助言なしで続けました',
  not_applied: 'お手元のファイルは変更されていません',
  no_review: 'フェーズは完了しましたが、レビューは含まれていませんでした',
  stopped: '途中で止められました',
  cancelled: 'キャンセルされました',
  not_finished: 'まだ終わっていません',
};
