import { defineWords } from '../words/words.ts';

export const paletteWords = defineWords({
  en: {
    open: 'Search',
    title: 'Go to a place or change a setting',
    wanted: 'Name of a run, a conversation or a setting',
    nothing: 'Nothing fits.',
    places: 'Places',
    runs: 'Recent runs',
    start: { conversation: 'New conversation', review: 'New review', run: 'New task' },
    theme: (name: string) => `Theme: ${name}`,
    language: (name: string) => `Language: ${name}`,
  },
  ja: {
    open: '検索',
    title: '移動と設定',
    wanted: '実行、会話、設定の名前',
    nothing: '該当するものがありません。',
    places: '移動先',
    runs: '最近の実行',
    start: { conversation: '新しい会話', review: '新しいレビュー', run: '新しいタスク' },
    theme: (name: string) => `テーマ: ${name}`,
    language: (name: string) => `言語: ${name}`,
  },
});
