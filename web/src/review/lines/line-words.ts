import { renderCount } from '../../../../src/client/review.ts';
import { useWords } from '../../words/language.tsx';
import { defineWords } from '../../words/words.ts';

const en = {
  below: (number: number) => `Show ${renderCount(number, 'line')} below`,
  above: (number: number) => `Show ${renderCount(number, 'line')} above`,
  all: (number: number) => `Show all ${renderCount(number, 'line')}`,
  between: (number: number) => `Show the ${renderCount(number, 'line')} between`,
  loading: 'Loading …',
  failed: 'The lines cannot be shown:',
};
type LineWords = typeof en;

const ja: LineWords = {
  below: (number) => `下の ${number} 行を表示`,
  above: (number) => `上の ${number} 行を表示`,
  all: (number) => `${number} 行すべてを表示`,
  between: (number) => `間の ${number} 行を表示`,
  loading: '読み込み中 …',
  failed: '行を表示できません:',
};

const lineWords = defineWords({ en, ja });

export function useLineWords(): LineWords {
  return useWords(lineWords);
}
