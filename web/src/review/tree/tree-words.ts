import { useWords } from '../../words/language.tsx';
import { defineWords } from '../../words/words.ts';

const treeWords = defineWords({
  en: {
    shown: 'Beside the change',
    sides: { findings: 'Findings', files: 'Files' },
    tree: 'Changed files by folder',
    filter: 'Filter files',
    nothing: 'No file fits.',
  },
  ja: {
    shown: '変更の横に表示',
    sides: { findings: '指摘', files: 'ファイル' },
    tree: '変更されたファイル(フォルダー別)',
    filter: 'ファイルを絞り込む',
    nothing: '該当するファイルがありません。',
  },
});

export function useTreeWords() {
  return useWords(treeWords);
}
