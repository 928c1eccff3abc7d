import { neutralise } from '../../../src/client/run-events.ts';
import type { RunSubjectCode } from '../../../src/client/run-types.ts';
import { useWords } from './language.tsx';
import { defineWords } from './words.ts';

interface Titled {
  readonly title: string | null;
  readonly subject?: RunSubjectCode | null | undefined;
}

/** Returns a function for the title of a run or a conversation. The server's own titles have a code; a user's words stay. */
export function useTitle(): (titled: Titled) => string {
  const words = useWords(subjectWords);
  return ({ title, subject = null }) => {
    const own = neutralise(title ?? '');
    return subject === null ? own : words[subject.kind](neutralise(subject.name ?? ''), own);
  };
}

type SubjectWords = Readonly<Record<RunSubjectCode['kind'], (name: string, title: string) => string>>;

const english: SubjectWords = {
  working_tree: () => 'Working tree',
  staged: () => 'Staged changes',
  diff: (name) => (name === '' ? 'Diff' : `Diff: ${name}`),
  commit: (name) => `Commit ${name}`,
  fix: (_name, title) => title,
};

const japanese: SubjectWords = {
  working_tree: () => '作業ツリー',
  staged: () => 'ステージ済みの変更',
  diff: (name) => (name === '' ? '差分' : `差分: ${name}`),
  commit: (name) => `コミット ${name}`,
  fix: () => '指摘の修正',
};

const subjectWords = defineWords({ en: english, ja: japanese });
