/** Settings by their full names (`core.eol`, `branch.topic/a.merge`) → the text of a git configuration file. */
export function renderGitConfig(settings: ReadonlyMap<string, string>): string {
  return [...settings].map(([key, value]) => renderSetting(key, value)).join('');
}

function renderSetting(key: string, value: string): string {
  const [sectionEnd, nameStart] = [key.indexOf('.'), key.lastIndexOf('.')];
  const section = key.slice(0, sectionEnd);
  const name = key.slice(nameStart + 1);
  const subsection =
    nameStart > sectionEnd ? ` "${escapeSubsection(key.slice(sectionEnd + 1, nameStart))}"` : '';
  return `[${section}${subsection}]\n\t${name} = "${escapeValue(value)}"\n`;
}

function escapeSubsection(text: string): string {
  return text.replace(/["\\]/g, '\\$&');
}

function escapeValue(text: string): string {
  return text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}
