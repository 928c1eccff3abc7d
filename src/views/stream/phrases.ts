import type { CollabEventOf, ErrorKind } from '../../events/collab-event.ts';
import { mainArgument } from '../screen/main-argument.ts';
import type { ToolProgressStatus, WarningLevel } from './event.ts';

/** `ja` is the wording of specification 002; `en` is its English translation. */
export type StreamingLanguage = 'ja' | 'en';

export interface StreamingWords {
  readonly thinking: string;
  readonly generating: string;
  /** An answer was rejected; the advisor is asked again. */
  readonly again: string;
  /** A request failed for a while and is repeated after a wait. */
  repeat(kind: ErrorKind, waitMs: number): string;
  /** Returns the text of an error; `message` is in English. */
  fault(kind: ErrorKind, message: string): string;
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
  const { deeds, tool, warnings, faults, repeat, fault, ...words } = catalogue[language];
  return {
    ...words,
    repeat: (kind, waitMs) => repeat(faults[kind], Math.ceil(waitMs / 1000)),
    fault: (kind, message) => fault(faults[kind], message),
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
  readonly faults: Readonly<Record<ErrorKind, string>>;
  readonly repeat: (fault: string, seconds: number) => string;
  readonly fault: (fault: string, message: string) => string;
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
    faults: {
      locked: 'この会話では別の処理が実行中です。終わってからもう一度送信してください。',
      cli_missing: '必要なプログラムを使用できません',
      auth: 'ログインまたはAPIキーが無効です',
      model: 'モデルを使用できません',
      options: '設定またはリクエストに誤りがあります',
      rate_limit: 'レート制限に達しました',
      overloaded: 'モデルが混み合っています',
      server: 'モデルのサーバーでエラーが発生しました',
      network: 'モデルとの接続が切れました',
      timeout: '制限時間を超えました',
      context_limit: 'コンテキストの上限に達しました。新しいチャットを開始してください。',
      protocol: '実行中にエラーが発生しました',
      parse: 'モデルの応答を読み取れませんでした',
      internal: '内部でエラーが発生しました',
      orphaned: '実行が途中で失われました。もう一度開始してください。',
      cancelled: 'キャンセルされました。',
    },
    repeat: (fault, seconds) => `${fault}。${seconds}秒後に再試行します...`,
    // A whole sentence needs no detail, which is in English.
    fault: (fault, message) => (fault.endsWith('。') ? fault : `${fault}: ${message}`),
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
    faults: {
      locked: 'The conversation is busy',
      cli_missing: 'A program is missing',
      auth: 'The login or key is invalid',
      model: 'The model cannot be used',
      options: 'The settings or the request are invalid',
      rate_limit: 'The rate limit is reached',
      overloaded: 'The model is overloaded',
      server: "The model's server failed",
      network: 'The connection to the model broke',
      timeout: 'The time limit is over',
      context_limit: 'The limit of the context is reached',
      protocol: 'The run failed',
      parse: "The model's answer cannot be read",
      internal: 'An internal error occurred',
      orphaned: 'The run was lost',
      cancelled: 'The run was canceled',
    },
    repeat: (fault, seconds) => `${fault}. Trying again in ${seconds} s...`,
    fault: (_fault, message) => message,
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
