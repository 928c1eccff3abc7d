/** A user whose Claude Code has loaded a raw clone of the repository as a plugin; both models are scripted. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { installPackedCollab } from '../../packed/packed-collab.ts';
import { startMessagesUpstream, type MessagesUpstream } from '../../upstream/messages-server.ts';
import { messagesInOrder, type MessagesScript } from '../../upstream/messages-steps.ts';
import { startUpstream, type Upstream } from '../../upstream/responses-server.ts';
import { inOrder } from '../../upstream/steps.ts';
import { createWorld, type World } from '../codex/codex-user.ts';

const repository = join(import.meta.dirname, '../../..');

/** The native program; its npm launcher needs an install script that is not run here. */
export const claudeProgram = join(
  import.meta.dirname,
  `../node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`,
);

/** Fails without the real binary instead of skipping tests. */
if (!existsSync(claudeProgram)) {
  throw new Error('the real claude is not installed: run `npm run test:agents`');
}

/** The variables of a Claude Code that is configured in `home`, whose model is scripted. */
export function claudeEnv(home: string, model: MessagesUpstream): Readonly<Record<string, string>> {
  return {
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'sk-scripted',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '0',
    DISABLE_AUTOUPDATER: '1',
  };
}

export interface PluginWorld {
  readonly claudeModel: MessagesUpstream;
  readonly codexModel: Upstream;
  readonly world: World;
  /** A `git clone` of this repository's last commit, without `npm ci` and without a build. */
  readonly plugin: string;
  /** A repository with an uncommitted change. */
  readonly project: string;
  /** Runs `claude -p` in the project with the plugin loaded. */
  claude(options: ClaudeOptions): Promise<ClaudeSession>;
  /** Runs the clone's own `bin/collab` in the project. */
  cloned(
    through: ClaudeOptions['through'],
    ...args: readonly string[]
  ): Promise<{ readonly code: number | null; readonly stdout: string }>;
  /** Returns the run folders of the project, the oldest first. */
  runs(): readonly string[];
  close(): Promise<void>;
}

export interface ClaudeOptions {
  readonly script: MessagesScript;
  /** Permission rules of the user. */
  readonly allow: readonly string[];
  /** The place of the built collab: the installed command on PATH, or an npx that starts it without a registry. */
  readonly through: 'path' | 'npx';
  /** The user's prompt; default: a question without a command. */
  readonly prompt?: string;
}

/** The events of one `claude -p` that tests need, read from its `stream-json` output. */
export interface ClaudeSession {
  readonly code: number | null;
  readonly plugins: readonly string[];
  readonly skills: readonly string[];
  readonly toolResults: readonly ToolResult[];
  readonly denied: readonly string[];
}

export interface ToolResult {
  readonly text: string;
  readonly failed: boolean;
}

export async function createPluginWorld(): Promise<PluginWorld> {
  const claudeModel = await startMessagesUpstream(messagesInOrder({ text: 'unscripted' }));
  const codexModel = await startUpstream(inOrder({ text: 'unscripted' }));
  const world = createWorld({ url: codexModel.url });
  const packed = await installPackedCollab();
  const plugin = join(world.root, 'plugin');
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', repository, plugin]);
  const project = join(world.root, 'project');
  prepareProject(project);
  const npx = join(world.root, 'npx');
  place(
    join(npx, 'npx'),
    `#!/bin/sh\n[ "$1" = --yes ] || exit 1\nshift 3\nexec node "${packed.command}" "$@"\n`,
  );
  const added = { path: join(packed.folder, 'node_modules/.bin'), npx };
  const pathThrough = (through: ClaudeOptions['through']): string =>
    [added[through], dirname(process.execPath), world.env['PATH']].join(':');
  return {
    claudeModel,
    codexModel,
    world,
    plugin,
    project,
    async claude({ script, allow, through, prompt = 'Ask Codex about it.' }) {
      claudeModel.play(script);
      const rules = allow.length === 0 ? [] : ['--allowedTools', ...allow];
      const streamed = ['--output-format', 'stream-json', '--verbose'];
      const { stdout, exitCode } = await execa(
        claudeProgram,
        ['-p', prompt, '--plugin-dir', plugin, ...rules, ...streamed],
        {
          cwd: project,
          env: {
            ...world.env,
            PATH: pathThrough(through),
            ...claudeEnv(world.home, claudeModel),
          },
          extendEnv: false,
          input: '',
          reject: false,
          timeout: 150_000,
        },
      );
      return { code: exitCode ?? null, ...readSession(stdout) };
    },
    async cloned(through, ...args) {
      const { exitCode, stdout } = await execa(join(plugin, 'bin/collab'), args, {
        cwd: project,
        env: { ...world.env, PATH: pathThrough(through) },
        extendEnv: false,
        input: '',
        reject: false,
      });
      return { code: exitCode ?? null, stdout };
    },
    runs: () => {
      const folder = join(project, '.collab/runs');
      return existsSync(folder)
        ? readdirSync(folder)
            .toSorted()
            .map((run) => join(folder, run))
        : [];
    },
    async close() {
      await world.close();
      await claudeModel.close();
      await codexModel.close();
    },
  };
}

function prepareProject(folder: string): void {
  place(join(folder, 'src/total.ts'), 'export const total = 1;\n');
  const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
  for (const args of [
    ['init', '--quiet'],
    ['add', '--all'],
    [...identity, 'commit', '--quiet', '-m', 'base'],
  ]) {
    execFileSync('git', args, { cwd: folder });
  }
  place(join(folder, 'src/total.ts'), 'export const total = 2;\n');
}

function place(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o755 });
}

const lineSchema = z.looseObject({
  type: z.string(),
  subtype: z.string().optional(),
  skills: z.array(z.string()).optional(),
  plugins: z.array(z.looseObject({ name: z.string(), source: z.string() })).optional(),
  permission_denials: z
    .array(z.looseObject({ tool_input: z.looseObject({ command: z.string().optional() }) }))
    .optional(),
  message: z.unknown().optional(),
});

const messageSchema = z.looseObject({
  content: z.array(
    z.looseObject({
      type: z.literal('tool_result'),
      content: z.unknown(),
      is_error: z.boolean().optional(),
    }),
  ),
});

function readSession(stdout: string): Omit<ClaudeSession, 'code'> {
  const lines = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => lineSchema.parse(JSON.parse(line)));
  const opening = lines.find(({ subtype }) => subtype === 'init');
  return {
    plugins: (opening?.plugins ?? []).map(({ source }) => source),
    skills: opening?.skills ?? [],
    toolResults: lines
      .filter(({ type }) => type === 'user')
      .flatMap(({ message }) => messageSchema.safeParse(message).data?.content ?? [])
      .map(({ content, is_error: failed }) => ({
        text: typeof content === 'string' ? content : JSON.stringify(content),
        failed: failed === true,
      })),
    denied: lines.flatMap(({ permission_denials: denials }) =>
      (denials ?? []).map(({ tool_input: input }) => input.command ?? ''),
    ),
  };
}

/** An advisor's review with one Critical finding at this line. */
export function criticalReview(path: string, line: string, title: string): string {
  return `[RESPONSE:REVIEW]

## STRENGTHS
None

## ISSUES
### Critical
1. **${title}** — \`${path}:1\`
   \`\`\`
   ${line}
   \`\`\`
   Why: everybody pays twice.
   Fix: keep it as it was.

## SUGGESTIONS
None
`;
}
