/** Facts about one thing: a label and a text for each, the texts below each other. */
import { lineWidth, plain, styled, wrapSpans, type Line } from '../../text/spans.ts';

export interface Field {
  /** Empty: the text belongs to the label above. */
  readonly label: string;
  readonly text: Line;
}

const gap = '  ';
const indent = '  ';
const leastTextWidth = 20;

/** `width` is in terminal columns; infinite on a pipe. A narrow terminal shows each text below its label. */
export function renderFields(fields: readonly Field[], width: number): readonly Line[] {
  const labelWidth = Math.max(0, ...fields.map(({ label }) => lineWidth([plain(label)])));
  const textWidth = width - indent.length - labelWidth - gap.length;
  if (textWidth < leastTextWidth) return fields.flatMap((field) => below(field, width));
  const margin = plain(indent + ' '.repeat(labelWidth) + gap);
  return fields.flatMap(({ label, text }) => {
    const [first = [], ...rest] = lineWidth(text) <= textWidth ? [text] : wrapSpans(text, textWidth);
    const room = ' '.repeat(labelWidth - lineWidth([plain(label)]));
    return [
      [plain(indent), styled(label, 'dim'), plain(room + gap), ...first],
      ...rest.map((line) => [margin, ...line]),
    ];
  });
}

function below({ label, text }: Field, width: number): readonly Line[] {
  const named = label === '' ? text : [styled(`${label}:`, 'dim'), plain(' '), ...text];
  return wrapSpans(named, width - indent.length).map((line) => [plain(indent), ...line]);
}
