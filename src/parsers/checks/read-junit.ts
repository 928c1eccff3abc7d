import { SaxesParser } from 'saxes';
import { messageInShort, type CheckItem, type CheckResults } from './check-results.ts';
import { malformed } from './malformed.ts';

interface OpenCase {
  readonly title: string;
  readonly path: string | null;
  readonly line: string | null;
  isSkipped: boolean;
  readonly failures: string[];
}

/** Reads what test runners call JUnit XML: there is no standard, so only the common names count. @throws CollabError `input` */
export function readJUnit(name: string, text: string): CheckResults {
  const parser = new SaxesParser();
  const items: CheckItem[] = [];
  const counts = { cases: 0, failed: 0, skipped: 0 };
  let isRoot = true;
  let open: OpenCase | null = null;
  let failure: { readonly message: string; text: string } | null = null;
  parser.on('error', (error) => {
    throw malformed(
      name,
      error.message.replace(/^\d*:?/u, (place) => (place === '' ? '' : `line ${place} `)),
      error,
    );
  });
  parser.on('opentag', ({ name: tag, attributes }) => {
    const read = (key: string): string | null => attributes[key] ?? null;
    if (isRoot && tag !== 'testsuites' && tag !== 'testsuite') throw malformed(name, `not JUnit: <${tag}>`);
    isRoot = false;
    if (tag === 'testcase') {
      const title = [read('classname'), read('name')].filter((one) => one !== null && one !== '').join(' › ');
      open = { title, path: read('file'), line: read('line'), isSkipped: false, failures: [] };
    } else if (open !== null && tag === 'skipped') open.isSkipped = true;
    else if (tag === 'failure' || tag === 'error') failure = { message: read('message') ?? '', text: '' };
  });
  const onText = (part: string): void => {
    if (failure !== null) failure.text += part;
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('closetag', ({ name: tag }) => {
    if ((tag === 'failure' || tag === 'error') && failure !== null) {
      const words = failure.text.includes(failure.message.trim())
        ? failure.text
        : `${failure.message}\n${failure.text}`;
      // A suite that cannot start has a failure outside of its cases.
      if (open === null) items.push({ path: null, text: `failed: ${messageInShort(words)}` });
      else open.failures.push(messageInShort(words));
      failure = null;
    } else if (tag === 'testcase' && open !== null) {
      counts.cases += 1;
      if (open.isSkipped) counts.skipped += 1;
      if (open.failures.length > 0) counts.failed += 1;
      for (const words of open.failures) items.push(itemOf(open, words));
      open = null;
    }
  });
  parser.write(text).close();
  if (isRoot) throw malformed(name, 'not JUnit: no element');
  const { cases, failed, skipped } = counts;
  return { summary: `${failed} of ${cases} tests failed, ${skipped} skipped`, items };
}

function itemOf({ title, path, line }: OpenCase, words: string): CheckItem {
  const where = path === null ? '' : ` (${path}${line === null ? '' : `:${line}`})`;
  return { path, text: `failed: ${title}${where}: ${words}` };
}
