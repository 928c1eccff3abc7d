import { describeTag, type Tag } from '../../../src/client/markdown.ts';
import { useWords } from '../words/language.tsx';
import { defineWords } from '../words/words.ts';

const en = {
  code: 'Code',
  codeIn: (language: string) => `Code: ${language}`,
  copyCode: 'Copy code',
  done: 'done',
  notDone: 'not done',
  table: 'Table',
  tag: (tag: Tag) => describeTag(tag).replace(/^./, (letter) => letter.toUpperCase()),
};

const japaneseTags: Readonly<Record<Tag, string>> = {
  '[CONSULT:REQUIREMENTS]': '要件についての相談',
  '[CONSULT:DESIGN]': '設計についての相談',
  '[CONSULT:IMPLEMENTATION]': '実装についての相談',
  '[REQUEST:REVIEW]': 'レビューの依頼',
  '[RESPONSE:REQUIREMENTS]': '要件についての回答',
  '[RESPONSE:DESIGN]': '設計についての回答',
  '[RESPONSE:IMPLEMENTATION]': '実装についての回答',
  '[RESPONSE:REVIEW]': 'レビューの回答',
  '[CONSULT:CLAUDE:VERIFICATION]': '進め方の確認',
  '[CONSULT:CLAUDE:CONTEXT]': '背景の確認',
  '[RESPONSE:CLAUDE:VERIFICATION]': '進め方についての回答',
  '[RESPONSE:CLAUDE:CONTEXT]': '背景についての回答',
  '[RESPONSE:FINDING]': '指摘の判定',
};

const ja: typeof en = {
  code: 'コード',
  codeIn: (language) => `コード: ${language}`,
  copyCode: 'コードをコピー',
  done: '完了',
  notDone: '未完了',
  table: '表',
  tag: (tag) => japaneseTags[tag],
};

const markdownWords = defineWords({ en, ja });

export function useMarkdownWords(): typeof en {
  return useWords(markdownWords);
}
