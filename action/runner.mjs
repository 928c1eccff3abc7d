// What a step tells its runner: outputs, the summary, annotations; and how foreign text is kept from telling it anything.
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';

/** A step's summary takes 1 MiB; more makes the runner drop all of it. */
const mostSummaryBytes = 1_000_000;

/** The value may have any content: its end is a word that nobody can know. */
export function setOutput(name, value) {
  const end = randomUUID();
  appendTo('GITHUB_OUTPUT', `${name}<<${end}\n${value}\n${end}\n`);
}

/** Of a longer text as many whole lines as fit, and a word on it at the top. */
export function addSummary(text) {
  if (Buffer.byteLength(text) <= mostSummaryBytes) return appendTo('GITHUB_STEP_SUMMARY', `${text}\n`);
  const kept = Buffer.from(text).subarray(0, mostSummaryBytes).toString('utf8');
  const whole = kept.slice(0, kept.lastIndexOf('\n'));
  appendTo('GITHUB_STEP_SUMMARY', `**Too long for this page: what follows is its beginning.**\n\n${whole}\n`);
}

export function addPath(folder) {
  appendTo('GITHUB_PATH', `${folder}\n`);
}

/** `kind`: error, warning or notice. */
export function annotate(kind, message) {
  const data = message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  process.stdout.write(`::${kind} title=collab::${data}\n`);
}

/**
 * Nothing that is printed meanwhile is read as a command. A runner reads standard output and standard error side by side: what
 * prints must print both to standard output, or a late line of the other would count.
 */
export async function withoutCommands(print) {
  const end = randomUUID();
  process.stdout.write(`::stop-commands::${end}\n`);
  try {
    return await print();
  } finally {
    process.stdout.write(`\n::${end}::\n`);
  }
}

/** What the user of the action has to mend. */
export class Refusal extends Error {}

/** The one way in: a refusal is one line, anything else a fault of ours with its stack. */
export async function runStep(step) {
  try {
    process.exitCode = await step();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    annotate('error', error.message);
    process.exitCode = 2;
  }
}

function appendTo(variable, text) {
  const file = process.env[variable];
  if (file !== undefined && file !== '') appendFileSync(file, text);
}
