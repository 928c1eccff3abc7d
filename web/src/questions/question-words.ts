import type { Phase } from '../../../src/client/questions.ts';
import { useWords } from '../words/language.tsx';
import { defineWords } from '../words/words.ts';

const phase: Readonly<Record<Phase, string>> = {
  requirements: 'requirements',
  design: 'design',
  implementation: 'implementation',
  review: 'review',
};

const en = {
  kind: {
    gate: 'The run asks for your decision',
    clarification: 'The advisor has questions before it continues',
    lead_turn: 'It is the lead’s turn: the run waits for its text',
    reverse: 'The advisor asks back',
  },
  asked: 'What is asked',
  decision: 'Your decision',
  approve: 'Approve and continue',
  revise: 'Request changes',
  reviseFrom: 'Which phase',
  phase,
  stop: 'Stop the run',
  apply: 'Apply the changes to my files',
  leave: 'Do not change my files',
  comment: 'Comment (optional)',
  whatToChange: 'What to change',
  answer: 'Your answer',
  inOrder: 'Answer as you like, best in the same order.',
  json: 'Your answer as JSON',
  schema: 'The JSON Schema that it has to fit',
  required: 'required',
  send: 'Send the answer',
  sending: 'Sending …',
  sent: 'The answer was sent.',
  empty: 'Write something first.',
  notJson: 'This is not JSON.',
  doesNotFit: 'This does not match the question.',
  nothingChosen: 'Choose one first.',
  takenBefore: 'Another person has already answered this.',
  failed: (why: string) => `The answer was not accepted: ${why}`,
  answeredBy: {
    user: 'Answered by a person',
    lead: 'Answered by the lead',
    caller: 'Answered by the caller',
    policy: 'Answered by policy',
  },
};
export type QuestionWords = typeof en;

const ja: QuestionWords = {
  kind: {
    gate: '判断を求められています',
    clarification: '相談役から先に確認したいことがあります',
    lead_turn: '主導役の番です。発言を待っています',
    reverse: '相談役からの問い返し',
  },
  asked: '質問の内容',
  decision: '判断',
  approve: '承認して進む',
  revise: '修正を求める',
  reviseFrom: '対象の段階',
  phase: { requirements: '要件', design: '設計', implementation: '実装', review: 'レビュー' },
  stop: '実行を止める',
  apply: '変更を自分のファイルに適用する',
  leave: 'ファイルはそのままにする',
  comment: 'コメント (任意)',
  whatToChange: '何を変えるか',
  answer: '回答',
  inOrder: '自由に、できれば同じ順に答えてください。',
  json: '回答 (JSON)',
  schema: '満たすべき JSON Schema',
  required: '必須',
  send: '回答を送信',
  sending: '送信中…',
  sent: '回答を送信しました。',
  empty: '内容を書いてください。',
  notJson: 'JSON ではありません。',
  doesNotFit: '求められた形に合いません。',
  nothingChosen: '選択してください。',
  takenBefore: 'すでに別の人が回答しました。',
  failed: (why) => `回答は受け付けられませんでした: ${why}`,
  answeredBy: {
    user: '人が回答',
    lead: '主導役が回答',
    caller: '呼び出し元が回答',
    policy: '方針により回答',
  },
};

const questionWords = defineWords({ en, ja });

export function useQuestionWords(): QuestionWords {
  return useWords(questionWords);
}
