/** The findings and the transcript of each run, for hosts that read resources. */
import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/server';
import { CollabError } from '../errors/collab-error.ts';
import type { OpenedRun } from '../runs/folder/opened-run.ts';
import { transcriptFile } from '../runs/folder/transcript-file.ts';
import { readIfThere } from '../system/files/read.ts';
import type { CallerRuns } from './caller-runs.ts';

export function addResources(server: McpServer, runs: CallerRuns): void {
  const add = ({ name, title, description, mimeType, read }: RunResource): void => {
    const template = new ResourceTemplate(`collab://runs/{run}/${name}`, { list: undefined });
    server.registerResource(name, template, { title, description, mimeType }, async (uri, { run }) => {
      const found = await runs.engine.find(runs.home, nameOf(run));
      const text = await read(found);
      if (text === null) throw missing(found.runId, name);
      return { contents: [{ uri: uri.href, mimeType, text }] };
    });
  };
  add({
    name: 'result',
    title: 'Result of a run',
    description: 'Outcome and findings as JSON.',
    mimeType: 'application/json',
    read: async (found) => {
      const result = await runs.engine.result(found);
      return result === null ? null : JSON.stringify(result, null, 2);
    },
  });
  add({
    name: 'transcript',
    title: 'Transcript of a run',
    description: 'Who said what, as Markdown.',
    mimeType: 'text/markdown',
    read: async ({ path }) => readIfThere(transcriptFile(path)),
  });
}

interface RunResource {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** Returns null if the run has none yet. */
  readonly read: (found: OpenedRun) => Promise<string | null>;
}

function nameOf(run: string | readonly string[] | undefined): string {
  return typeof run === 'string' ? decodeURIComponent(run) : '';
}

function missing(run: string, what: string): CollabError {
  return new CollabError('run_not_found', `${run} has no ${what} yet`, { hint: 'Call status first.' });
}
