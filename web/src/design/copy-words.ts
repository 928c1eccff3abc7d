import { defineWords } from '../words/words.ts';

export const copyWords = defineWords({
  en: { copied: 'Copied', refused: 'The browser does not let this page copy' },
  ja: { copied: 'コピーしました', refused: 'ブラウザーがコピーを許可していません' },
});
