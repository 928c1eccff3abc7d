import { useWords } from '../words/language.tsx';
import { defineWords } from '../words/words.ts';

const en = {
  code: 'Code',
  codeIn: (language: string) => `Code: ${language}`,
  copyCode: 'Copy code',
  copied: 'Copied',
  refused: 'The browser does not let this page copy',
  done: 'done',
  notDone: 'not done',
  table: 'Table',
};

const ja: typeof en = {
  code: 'コード',
  codeIn: (language) => `コード: ${language}`,
  copyCode: 'コードをコピー',
  copied: 'コピーしました',
  refused: 'ブラウザーがコピーを許可していません',
  done: '完了',
  notDone: '未完了',
  table: '表',
};

const markdownWords = defineWords({ en, ja });

export function useMarkdownWords(): typeof en {
  return useWords(markdownWords);
}
