import { useWords } from '../../words/language.tsx';
import { defineWords } from '../../words/words.ts';

const en = {
  open: 'Dismiss …',
  head: 'Dismiss the finding',
  about:
    'It does not count in later reviews of this repository. The reason is written into the suppression file and the history, for everyone to read; secrets in it are masked.',
  reason: 'Why does it not count?',
  send: 'Dismiss',
  sending: 'Dismissing …',
  cancel: 'Cancel',
  noReason: 'Write a reason first.',
  tooLong: (most: number) => `The reason is too long: ${most} characters are the limit.`,
  refused: {
    403: 'You may not dismiss findings.',
    404: 'The review is not there any more.',
    409: 'This finding cannot be dismissed here.',
    422: 'The finding was not dismissed.',
  } as Readonly<Record<number, string>>,
  failed: 'The finding was not dismissed.',
  dismissed: (reason: string) => `Dismissed, does not count in later reviews: ${reason}`,
};
type DismissWords = typeof en;

const ja: DismissWords = {
  open: '却下 …',
  head: '指摘を却下',
  about:
    'このリポジトリの以後のレビューで数えなくなります。理由は抑制ファイルと履歴に書き込まれ、誰でも読めます。秘密情報は伏せ字になります。',
  reason: '数えない理由',
  send: '却下する',
  sending: '却下中 …',
  cancel: 'やめる',
  noReason: '理由を書いてください。',
  tooLong: (most) => `理由が長すぎます。${most} 文字までです。`,
  refused: {
    403: '指摘を却下する権限がありません。',
    404: 'このレビューはもうありません。',
    409: 'この指摘はここでは却下できません。',
    422: '指摘は却下されませんでした。',
  },
  failed: '指摘は却下されませんでした。',
  dismissed: (reason) => `却下済み、以後のレビューでは数えません: ${reason}`,
};

const dismissWords = defineWords({ en, ja });

export function useDismissWords(): DismissWords {
  return useWords(dismissWords);
}
