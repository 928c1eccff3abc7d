import type { List, ListItem } from 'mdast';
import type { Severity } from '../../tags/severities.ts';
import type { LineSpan, ReviewIssue } from '../answers/answer-types.ts';
import { saysNoProblem, saysNoProblemOfGrade } from '../answers/none-words.ts';
import { issueBlocksIn, type IssueBlock } from './issue-blocks.ts';
import { holdsDetails } from './issue-details.ts';
import { finishIssue, type IssueDraft, type ListKind } from './issue-draft.ts';
import { entriesOfItem, entriesOfNode, entriesOfRow, lineEntry, type IssueEntry } from './issue-entries.ts';
import { readLabel } from './issue-fields.ts';
import { findLocation, type IssueLocation } from './issue-location.ts';
import { announcesNoIssue, readSeverityHeading, readSeverityPrefix } from './issue-severity.ts';
import {
  fileNamedBy,
  headsRemarks,
  isBlank,
  isFileName,
  isGroupLine,
  isNumbered,
  namesALine,
} from './issue-shapes.ts';
import { readIssueTable, type IssueRow } from './issue-table.ts';
import type { MarkdownDocument } from '../markdown/markdown-document.ts';

export interface CollectedIssues {
  readonly issues: readonly ReviewIssue[];
  /** True if the section contains a "none". */
  readonly saysNone: boolean;
  /** Severity headings with nothing under them. */
  readonly unanswered: readonly string[];
  /** Text that belongs to no issue. */
  readonly stray: boolean;
}

export function collectIssues(document: MarkdownDocument, spans: readonly LineSpan[]): CollectedIssues {
  return new IssueCollector(document).collect(issueBlocksIn(document, spans));
}

/** Reads the blocks of a section in order; a block opens a group, opens an issue, or adds to the open one. */
class IssueCollector {
  readonly #document: MarkdownDocument;
  readonly #drafts: IssueDraft[] = [];
  readonly #groups: { readonly title: string; answered: boolean }[] = [];
  #open: IssueDraft | null = null;
  #severity: Severity | null = null;
  #groupDepth = 0;
  #file: IssueLocation | null = null;
  #saysNone = false;
  #stray = false;
  #blockBegins = false;

  constructor(document: MarkdownDocument) {
    this.#document = document;
  }

  collect(blocks: readonly IssueBlock[]): CollectedIssues {
    for (const [index, block] of blocks.entries()) this.#read(block, blocks[index + 1]);
    return {
      issues: this.#drafts.map(finishIssue),
      saysNone: this.#saysNone,
      unanswered: this.#groups.filter(({ answered }) => !answered).map(({ title }) => title),
      stray: this.#stray,
    };
  }

  #read(block: IssueBlock, next: IssueBlock | undefined): void {
    this.#blockBegins = true;
    switch (block.kind) {
      case 'heading':
        return this.#readHeading(block, next);
      case 'lines':
        return this.#readLines(block.lines);
      case 'list':
        return this.#readList(block.list);
      case 'table':
        return this.#readTable(block);
      case 'code':
        return this.#add(entriesOfNode(this.#document, block.code, block.span));
      case 'quote':
        return this.#add(block.lines.map(lineEntry));
    }
  }

  #readHeading({ text, depth }: IssueBlock & { kind: 'heading' }, next: IssueBlock | undefined): void {
    const group = readSeverityHeading(text);
    const prefix = readSeverityPrefix(text);
    const holdsIssues = next !== undefined && this.#listsIssues(next);
    if (group !== null) return this.#openGroup(text, group.severity, depth);
    if (prefix !== null && saysNoProblemOfGrade(prefix.rest)) {
      this.#openGroup(text, prefix.severity, depth);
      return this.#sayNone();
    }
    if (prefix !== null && this.#listsTitledIssues(next) && !isNumbered(text) && !namesALine(text)) {
      return this.#openGroup(text, prefix.severity, depth);
    }
    if (saysNoProblem(text)) return this.#sayNone();
    if (headsRemarks(text)) return this.#openRemarks();
    if (depth <= this.#groupDepth && prefix === null) this.#severity = null;
    if (prefix === null && holdsIssues && !isNumbered(text) && !namesALine(text)) {
      this.#file = fileNamedBy(text);
      this.#open = null;
      return;
    }
    this.#openIssue(prefix?.rest ?? text, { severity: prefix?.severity, absorbsLists: true });
  }

  /** Reads a paragraph, which may contain group lines, issues and lines of the open issue, one below the other. */
  #readLines(lines: readonly string[]): void {
    for (const [index, text] of lines.entries()) {
      const prefix = readSeverityPrefix(text);
      const group = readSeverityHeading(text);
      if (group !== null && isGroupLine(text)) this.#openGroup(text.trim(), group.severity, this.#groupDepth);
      else if (prefix !== null && saysNoProblemOfGrade(prefix.rest)) this.#sayNone();
      else if (prefix !== null) this.#openIssue(prefix.rest, { severity: prefix.severity });
      else if (this.#open === null && this.#isNone(text)) this.#sayNone();
      else if (this.#opensIssue(text, index)) this.#openIssue(text, {});
      else this.#add([lineEntry(text)]);
    }
  }

  /**
   * Checks whether a text opens an issue: a bold title with a place, or a text under a severity that has no issue yet
   * or that names a place.
   */
  #opensIssue(text: string, index: number): boolean {
    if (readLabel(text) !== null) return false;
    const titled = /^\s*(\*\*|__)\S.*\1/.test(text) && findLocation(text) !== null;
    if (titled) return index === 0 || this.#open === null;
    const awaited = this.#groups.at(-1)?.answered === false || findLocation(text) !== null;
    return this.#open === null && this.#severity !== null && awaited;
  }

  #readList(list: List): void {
    for (const item of list.children) this.#readItem(item, list.ordered === true ? 'ordered' : 'bullets');
  }

  #readItem(item: ListItem, kind: ListKind): void {
    const entries = entriesOfItem(this.#document, item);
    const head = entries[0]?.kind === 'line' ? entries[0].text : '';
    const nested = item.children.filter((child) => child.type === 'list');
    const group = readSeverityHeading(head);
    const prefix = readSeverityPrefix(head);
    if (this.#open !== null && group === null && prefix === null && holdsDetails(this.#open, kind, head))
      return this.#add([lineEntry(`- ${head}`), ...entries.slice(1)]);
    if (group !== null && entries.slice(1).every(isBlank))
      return this.#openGroup(head, group.severity, this.#groupDepth);
    if (group !== null && nested.length > 0) return this.#readNestedGroup(head, group.severity, nested);
    const none = prefix === null ? this.#isNone(head) : saysNoProblemOfGrade(prefix.rest);
    if (none && entries.slice(1).every(isBlank)) return this.#sayNone();
    if (readLabel(head) !== null && this.#open !== null) return this.#add(entries);
    if (isFileName(head) && nested.some((list) => this.#listsIssues({ kind: 'list', list }))) {
      this.#file = fileNamedBy(head);
      for (const list of nested) this.#readList(list);
      this.#file = null;
      return;
    }
    const [first, ...others] = prefix === null && group !== null ? entries.slice(1) : entries;
    const title = prefix?.rest ?? (first?.kind === 'line' ? first.text : '');
    this.#openIssue(title, { severity: prefix?.severity ?? group?.severity, entries: others, item: kind });
  }

  #readNestedGroup(head: string, severity: Severity | null, nested: readonly List[]): void {
    this.#openGroup(head, severity, this.#groupDepth);
    for (const list of nested) this.#readList(list);
  }

  #readTable({ table, span }: IssueBlock & { kind: 'table' }): void {
    const rows = readIssueTable(this.#document, table, span);
    if (rows === null) return this.#add(entriesOfNode(this.#document, table, span));
    for (const row of rows) {
      if (row.none) this.#sayNone();
      else this.#openRow(row);
    }
    this.#open = null;
  }

  #openRow(row: IssueRow): void {
    const grade = readSeverityHeading(row.severity) ?? readSeverityPrefix(row.title);
    this.#openIssue(readSeverityPrefix(row.title)?.rest ?? row.title, {
      severity: grade?.severity,
      entries: entriesOfRow(row),
    });
  }

  #openGroup(title: string, severity: Severity | null, depth: number): void {
    this.#severity = severity;
    this.#groupDepth = depth;
    this.#open = null;
    this.#file = null;
    const answered = announcesNoIssue(title);
    this.#groups.push({ title, answered });
    this.#saysNone ||= answered;
  }

  #openRemarks(): void {
    this.#severity = null;
    this.#open = null;
    this.#stray = true;
  }

  #openIssue(
    head: string,
    options: {
      readonly severity?: Severity | null | undefined;
      readonly entries?: readonly IssueEntry[];
      readonly absorbsLists?: boolean;
      readonly item?: ListKind;
    },
  ): void {
    this.#open = {
      severity: options.severity ?? this.#severity,
      head,
      entries: [...(options.entries ?? [])],
      file: this.#file,
      absorbsLists: options.absorbsLists ?? false,
      item: options.item ?? null,
    };
    this.#drafts.push(this.#open);
    this.#blockBegins = false;
    this.#answerGroup();
  }

  #add(entries: readonly IssueEntry[]): void {
    if (this.#open === null) this.#stray = true;
    else this.#open.entries.push(...(this.#blockBegins ? [lineEntry('')] : []), ...entries);
    this.#blockBegins = false;
  }

  #sayNone(): void {
    this.#saysNone = true;
    this.#answerGroup();
  }

  #answerGroup(): void {
    const group = this.#groups.at(-1);
    if (group !== undefined) group.answered = true;
  }

  #isNone(text: string): boolean {
    return this.#groups.length === 0 ? saysNoProblem(text) : saysNoProblemOfGrade(text);
  }

  /** Recognizes a table of issues, or a list whose items are not the labeled details of one issue. */
  #listsIssues(block: IssueBlock): boolean {
    if (block.kind === 'table') return readIssueTable(this.#document, block.table, block.span) !== null;
    const head = this.#firstHead(block);
    return head !== null && readLabel(head) === null;
  }

  /** Checks more strictly: details of one issue are bullets too, but have no title and no place. */
  #listsTitledIssues(block: IssueBlock | undefined): boolean {
    if (block === undefined || !this.#listsIssues(block)) return false;
    const head = this.#firstHead(block);
    return head === null || /^\s*(?:\*\*|__)/.test(head) || findLocation(head) !== null;
  }

  #firstHead(block: IssueBlock): string | null {
    const item = block.kind === 'list' ? block.list.children[0] : undefined;
    const first = item === undefined ? undefined : entriesOfItem(this.#document, item)[0];
    return first?.kind === 'line' ? first.text : null;
  }
}
