// Diffs of a given size, the same in every run.

/** New files, one per chunk if each is larger than half a chunk. */
export function diffOf(fileCount, linesPerFile) {
  return Array.from({ length: fileCount }, (_, index) =>
    fileDiff(`src/orders/report-${index + 1}.ts`, linesPerFile),
  ).join('');
}

function fileDiff(path, lineCount) {
  const lines = Array.from({ length: lineCount }, (_, index) => `+${lineOf(index)}`);
  return `diff --git a/${path} b/${path}
new file mode 100644
--- /dev/null
+++ b/${path}
@@ -0,0 +1,${lineCount} @@
${lines.join('\n')}
`;
}

function lineOf(index) {
  const kind = index % 4;
  if (kind === 0)
    return `export function orderTotal${index}(lines: readonly Line[], taxRate: number): number {`;
  if (kind === 1)
    return `  const subtotal = lines.reduce((sum, line) => sum + line.price * line.quantity, ${index});`;
  if (kind === 2) return `  return Math.round(subtotal * (1 + taxRate) * 100) / 100;`;
  return '}';
}
