import type { CollabEventOf } from '../../events/collab-event.ts';
import { mainArgument } from '../screen/main-argument.ts';
import type { ToolProgressStatus, WarningLevel } from './event.ts';

/** `ja` is the wording of specification 002; `en` is its English translation. */
export type StreamingLanguage = 'ja' | 'en';

export interface StreamingWords {
  readonly thinking: string;
  readonly generating: string;
  /** An answer was rejected; the advisor is asked again. */
  readonly again: string;
  /** Replaces the result of a call that got none. */
  readonly interrupted: string;
  tool(name: string, status: ToolProgressStatus): string;
  /** Returns one line that describes a call: `ファイルを読み取り: file.py` (R002-26). */
  summary(call: CalledTool): string;
  /** Returns null if there is nothing to warn about (R002-33, X002-5). */
  warning(level: WarningLevel): string | null;
}

type CalledTool = Pick<CollabEventOf<'tool.call'>, 'name' | 'display_name' | 'args' | 'summary'>;

export function streamingWords(language: StreamingLanguage): StreamingWords {
  const { deeds, tool, warnings, ...words } = catalogue[language];
  return {
    ...words,
    tool: (name, status) => tool[status].replace('{}', () => name),
    summary: (call) => summaryOf(call, deeds.get(call.name)),
    warning: (level) => (level === 'normal' ? null : warnings[level]),
  };
}

function summaryOf(call: CalledTool, deed: string | undefined): string {
  const argument = firstLine(mainArgument(call));
  if (argument === '') return deed ?? call.display_name;
  const object = namesAFile.has(call.name) ? baseName(argument) : argument;
  return `${deed ?? call.display_name}: ${object}`;
}

function firstLine(text: string): string {
  return (text.trim().split(/\r\n|\r|\n/, 1)[0] ?? '').trim();
}

function baseName(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
}

const namesAFile: ReadonlySet<string> = new Set(['Read', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

interface Catalogue {
  readonly thinking: string;
  readonly generating: string;
  readonly again: string;
  readonly interrupted: string;
  readonly tool: Readonly<Record<ToolProgressStatus, string>>;
  /** Actions by tool name. */
  readonly deeds: ReadonlyMap<string, string>;
  readonly warnings: Readonly<Record<Exclude<WarningLevel, 'normal'>, string>>;
}

const catalogue: Readonly<Record<StreamingLanguage, Catalogue>> = {
  ja: {
    thinking: '思考中...',
    generating: 'レスポンスを生成中...',
    again: 'もう一度問い合わせ中...',
    interrupted: '中断されました',
    tool: {
      pending: '{}を受け付けました',
      running: '{}を実行中...',
      completed: '{}が完了しました',
      error: '{}でエラーが発生しました',
    },
    deeds: new Map(
      Object.entries({
        Read: 'ファイルを読み取り',
        Write: 'ファイルを書き込み',
        Edit: 'ファイルを編集',
        MultiEdit: 'ファイルを編集',
        NotebookEdit: 'ノートブックを編集',
        Bash: 'コマンドを実行',
        Grep: 'パターン検索',
        Glob: 'ファイル検索',
        LS: 'フォルダーを一覧表示',
        WebSearch: 'ウェブ検索',
        WebFetch: 'ウェブページを取得',
        Task: 'サブエージェントを開始',
      }),
    ),
    warnings: {
      warning: '会話が長くなっています。新しいチャットを開始することをおすすめします。',
      critical: '次の返信でエラーが発生する可能性があります。新しいチャットを開始してください。',
      blocked: 'コンテキストの上限に達しました。新しいチャットを開始してください。',
    },
  },
  en: {
    thinking: 'Thinking...',
    generating: 'Writing the response...',
    again: 'Asking again...',
    interrupted: 'interrupted',
    tool: {
      pending: '{} is accepted',
      running: '{} is running...',
      completed: '{} is done',
      error: '{} failed',
    },
    deeds: new Map(
      Object.entries({
        Read: 'Read a file',
        Write: 'Write a file',
        Edit: 'Edit a file',
        MultiEdit: 'Edit a file',
        NotebookEdit: 'Edit a notebook',
        Bash: 'Run a command',
        Grep: 'Search a pattern',
        Glob: 'Find files',
        LS: 'List a folder',
        WebSearch: 'Search the web',
        WebFetch: 'Fetch a page',
        Task: 'Start a sub-agent',
      }),
    ),
    warnings: {
      warning: 'The conversation is getting long. Starting a new chat is recommended.',
      critical: 'The next reply may fail. Please start a new chat.',
      blocked: 'The limit of the context is reached. Please start a new chat.',
    },
  },
};
