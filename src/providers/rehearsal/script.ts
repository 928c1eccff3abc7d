/**
 * The script of a rehearsal: what an agent would have done, written down. Paths are relative to the script's folder.
 *
 * ```yaml
 * agent:
 *   name: Claude Code                 # shown on screens
 *   model: claude-opus-4-20250514
 *   session_id: abc123                # of the first session; the next ones get -2, -3 …
 * lead: { name: Claude Code }         # the same of the lead, where one script holds both; default: `agent`
 * project: { task: …, files: { src/a.ts: … } }   # what `collab demo` plays it in; the agents do not read it
 * call_log: calls.log                 # one line as a call begins (`begin <call id>`), one as it ends (`end <call id>`)
 * turns:                              # a call plays the first turn that fits and is not used up
 *   - when: { tag: '[REQUEST:REVIEW]', contains: 'total.ts', chunk: 2, attempt: 1 }   # all that are given must fit (when.ts)
 *     repeat: forever                 # or a number; default 1
 *     delay_ms: 200                   # silence before the first word
 *     tools: [{ name: Bash, input: { command: pwd }, output: /home/user }]            # before the messages
 *     messages:                       # what is said before the answer, as text blocks, in order with tools
 *       - text: I'll look at the file.
 *       - tool: { name: Read, input: { file_path: a.ts }, output_lines: 50 }
 *       - tool: { name: Read, input: { file_path: b.ts }, error: no such file }
 *       - call: { name: Write, input: { file_path: c.ts, content: c } }               # of a lead in `collab chat`: really
 *                                       # called, and asked about, where `tool` only shows
 *     delta_size: 20                  # characters a delta; default: the whole text at once
 *     answer: |                       # or answer_file
 *       [RESPONSE:REVIEW]
 *     stream: false                   # the answer is returned and not said; default true
 *     usage: { input: 10, output: 20, cost: 0.001 }                                   # cost in US dollars
 *   - fault: overloaded               # instead of an answer
 *     retry_after_ms: 50
 *     harvest: interrupted            # what a lost call of this turn turns out to be; default: what really happened
 *   - when: { role: lead, phase: implementation, work: implement, round: 2 }
 *     edits:                          # of the work's folder, after the messages and before the answer or the fault
 *       - { path: src/total.ts, content: "export const total = 0;\n" }
 *       - { path: src/total.ts, replace: { from: '= 0', to: '= 1' } }
 *       - { path: src/old.ts, delete: true }
 *     edit_delay_ms: 50               # silence before each of them
 *     answer: Done.
 * ```
 *
 * Faults: `timed_out` (with `limit`), `overloaded` (with `retry_after_ms`), `unavailable` (with `code`), `empty`, `cut`,
 * `never` (says nothing more, until a limit ends the turn or the call is aborted), `die` (the agent's process is gone).
 */
import { z } from 'zod';
import { editSchema } from './edit.ts';
import { roleOf, whenSchema } from './when.ts';

const json = z.json();

const toolSchema = z
  .strictObject({
    name: z.string().min(1),
    input: z.record(z.string(), json).default({}),
    output: z.string().optional(),
    /** That many lines of output, where their text does not matter. */
    output_lines: z.int().nonnegative().optional(),
    error: z.string().optional(),
  })
  .refine(
    (tool) => [tool.output, tool.output_lines, tool.error].filter((given) => given !== undefined).length <= 1,
    {
      error: 'a tool has one of output, output_lines and error',
    },
  );
export type ScriptedTool = z.infer<typeof toolSchema>;

const callSchema = z.strictObject({ name: z.string().min(1), input: z.record(z.string(), json).default({}) });

const messageSchema = z.union([
  z.strictObject({ text: z.string().min(1) }),
  z.strictObject({ tool: toolSchema }),
  z.strictObject({ call: callSchema }),
]);
export type ScriptedMessage = z.infer<typeof messageSchema>;

const faults = ['timed_out', 'overloaded', 'unavailable', 'empty', 'cut', 'never', 'die'] as const;

const turnSchema = z
  .strictObject({
    when: whenSchema,
    repeat: z.union([z.int().positive(), z.literal('forever')]).default(1),
    delay_ms: z.int().nonnegative().default(0),
    tools: z.array(toolSchema).default([]),
    messages: z.array(messageSchema).default([]),
    edits: z.array(editSchema).default([]),
    edit_delay_ms: z.int().nonnegative().default(0),
    delta_size: z.int().positive().optional(),
    answer: z.string().optional(),
    answer_file: z.string().min(1).optional(),
    stream: z.boolean().default(true),
    stop_reason: z.string().default('end_turn'),
    usage: z
      .strictObject({
        input: z.int().nonnegative(),
        output: z.int().nonnegative(),
        cost: z.number().nonnegative().optional(),
      })
      .optional(),
    fault: z.enum(faults).optional(),
    message: z.string().optional(),
    limit: z.enum(['first_sign', 'idle', 'total', 'context']).default('idle'),
    retry_after_ms: z.int().nonnegative().nullable().default(null),
    code: z.enum(['cli_missing', 'auth', 'quota', 'model', 'options', 'died', 'internal']).default('options'),
    harvest: z.enum(['answered', 'interrupted', 'not_sent']).optional(),
  })
  .refine(
    (turn) => [turn.answer, turn.answer_file, turn.fault].filter((given) => given !== undefined).length === 1,
    { error: 'a turn has exactly one of answer, answer_file and fault' },
  )
  .refine((turn) => turn.edits.length === 0 || roleOf(turn.when) === 'lead', {
    error: 'only a lead edits: say `when: { role: lead }`',
    path: ['edits'],
  })
  .refine((turn) => turn.when.work === 'converse' || !turn.messages.some((message) => 'call' in message), {
    error: 'only the lead of a conversation calls tools: say `when: { work: converse }`',
    path: ['messages'],
  });
export type ScriptedTurn = z.infer<typeof turnSchema>;

const identitySchema = z.strictObject({
  name: z.string().min(1).default('Rehearsal'),
  model: z.string().min(1).optional(),
  session_id: z
    .string()
    .regex(/^[\w.-]+$/)
    .default('rehearsal'),
});
export type ScriptedIdentity = z.infer<typeof identitySchema>;

const projectSchema = z.strictObject({
  task: z.string().trim().min(1),
  /** By path, relative to the project. */
  files: z.record(z.string().min(1), z.string()),
});
export type ScriptedProject = z.infer<typeof projectSchema>;

export const scriptSchema = z.strictObject({
  agent: identitySchema.prefault({}),
  lead: identitySchema.optional(),
  project: projectSchema.optional(),
  call_log: z.string().min(1).optional(),
  turns: z.array(turnSchema).min(1),
});
export type Script = z.infer<typeof scriptSchema>;
