/** The findings and the transcript of each run, for hosts that read resources. */
import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/server';
import { CollabError } from '../../errors/collab-error.ts';
import { transcriptFile } from '../../runs/folder/transcript-file.ts';
import { readIfThere } from '../../system/files/read.ts';
import { findRun, readRunResult } from '../flags/run-arguments.ts';
import type { Session } from '../session.ts';

export function addResources(server: McpServer, session: Session): void {
  server.registerResource(
    'result',
    new ResourceTemplate('collab://runs/{run}/result', { list: undefined }),
    { title: 'Result of a run', description: 'Outcome and findings as JSON.', mimeType: 'application/json' },
    (uri, { run }) => {
      const found = findRun(session, nameOf(run));
      const result = readRunResult(found);
      if (result === null) throw missing(found.runId, 'result');
      return contents(uri, 'application/json', JSON.stringify(result, null, 2));
    },
  );
  server.registerResource(
    'transcript',
    new ResourceTemplate('collab://runs/{run}/transcript', { list: undefined }),
    { title: 'Transcript of a run', description: 'Who said what, as Markdown.', mimeType: 'text/markdown' },
    (uri, { run }) => {
      const found = findRun(session, nameOf(run));
      const text = readIfThere(transcriptFile(found.path));
      if (text === null) throw missing(found.runId, 'transcript');
      return contents(uri, 'text/markdown', text);
    },
  );
}

function nameOf(run: string | readonly string[] | undefined): string {
  return typeof run === 'string' ? decodeURIComponent(run) : '';
}

function contents(uri: URL, mimeType: string, text: string) {
  return { contents: [{ uri: uri.href, mimeType, text }] };
}

function missing(run: string, what: string): CollabError {
  return new CollabError('run_not_found', `${run} has no ${what} yet`, { hint: 'Call status first.' });
}
