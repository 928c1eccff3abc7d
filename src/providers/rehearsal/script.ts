/**
 * The script of a rehearsal: the actions of an agent in YAML. Paths are relative to the script's folder.
 *
 * ```yaml
 * agent:
 *   name: Claude Code                 # shown on screens
 *   model: claude-opus-4-20250514
 *   session_id: abc123                # of the first session; later ones get -2, -3 …
 * lead: { name: Claude Code }         # the same for the lead, if one script has both; default: `agent`
 * project: { task: …, files: { src/a.ts: … } }   # the files for `collab demo`; the agents do not read it
 * call_log: calls.log                 # one line when a call begins (`begin <call id>`), one when it ends (`end <call id>`)
 * turns:                              # a call plays the first turn that matches and is not used up
 *   - when: { tag: '[REQUEST:REVIEW]', contains: 'total.ts', chunk: 2, attempt: 1 }   # all must match (when.ts)
 *     repeat: forever                 # or a number; default 1
 *     delay_ms: 200                   # silence before the first output
 *     tools: [{ name: Bash, input: { command: pwd }, output: /home/user }]            # before the messages
 *     messages:                       # text blocks before the answer, in order with tools
 *       - text: I'll look at the file.
 *       - tool: { name: Read, input: { file_path: a.ts }, output_lines: 50 }
 *       - tool: { name: Read, input: { file_path: b.ts }, error: no such file }
 *       - call: { name: Write, input: { file_path: c.ts, content: c } }               # only a lead in `collab chat`: a real call,
 *                                       # with permission prompts; `tool` only shows one
 *     delta_size: 20                  # characters per delta; default: the whole text at once
 *     answer: |                       # or answer_file
 *       [RESPONSE:REVIEW]
 *     stream: false                   # the answer is returned but not streamed; default true
 *     closing: false                  # omits the closing line that the prompt requests; default: it is added
 *     usage: { input: 10, output: 20, cost: 0.001 }                                   # cost in US dollars
 *   - fault: overloaded               # instead of an answer
 *     retry_after_ms: 50              # or `unreachable: true`: the connection is refused
 *     harvest: interrupted            # the outcome of a lost call of this turn; default: the real one
 *   - when: { role: lead, phase: implementation, work: implement, round: 2 }
 *     edits:                          # of the work's folder, after the messages and before the answer or the fault
 *       - { path: src/total.ts, content: "export const total = 0;\n" }
 *       - { path: src/total.ts, replace: { from: '= 0', to: '= 1' } }
 *       - { path: src/old.ts, delete: true }
 *     edit_delay_ms: 50               # silence before each of them
 *     answer: Done.
 *   - when: { role: advisor, work: verify, contains: '## F1' }                        # its check of a finding in a fresh
 *     repeat: forever                 # thread; a script without such a turn checks none
 *     answer: |
 *       [RESPONSE:FINDING]: F1
 * ```
 *
 * Faults: `timed_out` (with `limit`), `overloaded` (with `retry_after_ms`), `unavailable` (with `code`), `empty`, `cut`,
 * `never` (silence until a limit ends the turn or the call is aborted), `die` (the agent's process has ended).
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
    /** Number of output lines, if their text does not matter. */
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
    closing: z.boolean().default(true),
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
    limit: z.enum(['first_sign', 'first_byte', 'idle', 'total', 'context']).default('idle'),
    retry_after_ms: z.int().nonnegative().nullable().default(null),
    unreachable: z.literal(true).optional(),
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
  /** Files by path, relative to the project. */
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
