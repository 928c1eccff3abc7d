import { neutralise } from '../../../src/client/run-events.ts';
import type { RunSubjectCode } from '../../../src/client/run-types.ts';
import { useLanguage } from './language.tsx';

interface Titled {
  readonly title: string | null;
  readonly subject?: RunSubjectCode | null | undefined;
}

/**
 * Returns a function for the title of a run or a conversation, in the chosen language. The server's own titles are
 * English and have a code; a user's words are shown as they are.
 */
export function useTitle(): (titled: Titled) => string {
  const { language } = useLanguage();
  return ({ title, subject = null }) =>
    subject === null || language === 'en'
      ? neutralise(title ?? '')
      : japanese[subject.kind](neutralise(subject.name ?? ''));
}

const japanese: Readonly<Record<RunSubjectCode['kind'], (name: string) => string>> = {
  working_tree: () => '作業ツリー',
  staged: () => 'ステージ済みの変更',
  diff: (name) => (name === '' ? '差分' : `差分: ${name}`),
  commit: (name) => `コミット ${name}`,
  fix: () => '指摘の修正',
};
