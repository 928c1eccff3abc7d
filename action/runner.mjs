// Sends outputs, the summary and annotations to the runner, and keeps foreign text from sending any.
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';

/** A step's summary is limited to 1 MiB; a larger one is dropped completely. */
const mostSummaryBytes = 1_000_000;

/** The value may have any content: its end is a random word. */
export function setOutput(name, value) {
  const end = randomUUID();
  appendTo('GITHUB_OUTPUT', `${name}<<${end}\n${value}\n${end}\n`);
}

/** Adds a text; of one that is too long, as many whole lines as fit, with a note at the top. */
export function addSummary(text) {
  if (Buffer.byteLength(text) <= mostSummaryBytes) return appendTo('GITHUB_STEP_SUMMARY', `${text}\n`);
  const kept = Buffer.from(text).subarray(0, mostSummaryBytes).toString('utf8');
  const whole = kept.slice(0, kept.lastIndexOf('\n'));
  appendTo('GITHUB_STEP_SUMMARY', `**Too long for this page: only the beginning is shown.**\n\n${whole}\n`);
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
 * Keeps the runner from reading output as a command during `print`. A runner reads standard output and standard error
 * side by side: `print` must write both to standard output, or a late line of the other would count.
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

/** An error that the user of the action must fix. */
export class Refusal extends Error {}

/** Runs a step: a refusal prints one line; any other error is a bug of ours and prints its stack. */
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
