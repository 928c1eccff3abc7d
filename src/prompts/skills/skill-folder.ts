/** Reads a skill's folder (SKILL.md, workflow.yaml, one template per phase) into a skill, or lists all its faults. */
import { readdir, realpath } from 'node:fs/promises';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { CollabError } from '../../errors/collab-error.ts';
import { hasCode } from '../../errors/has-code.ts';
import { openToRead, readUpTo } from '../../system/files/read.ts';
import { nearest } from '../../text/nearest.ts';
import { readFrontMatter } from '../../parsers/yaml/front-matter.ts';
import { readYamlAs, type YamlFault } from '../../parsers/yaml/read-yaml-as.ts';
import { packageSkillFolder } from './skill-package.ts';
import type { Skill } from './skill.ts';
import { readWorkflow, type SkillWorkflow, type TemplateName } from './skill-workflow.ts';
import { isInside } from '../../system/is-inside.ts';

/**
 * Loads a skill; null means the package's own skill.
 *
 * @throws CollabError `config`, with every fault of the folder on a separate line
 */
export async function loadSkill(folder: string | null): Promise<Skill> {
  const named = folder ?? packageSkillFolder('codex-collab');
  const root = await realpath(named).catch((cause: unknown) => {
    throw new CollabError('config', `the skill folder ${named} does not exist`, {
      hint: 'name a folder with SKILL.md and workflow.yaml: --skill <folder>',
      cause,
    });
  });
  const name = basename(resolve(named));
  const [head, flow] = [readSkillFile(root, name), readWorkflowFile(root)];
  const templates = await Promise.all(flow.templates.map((template) => readTemplate(root, template)));
  const faults = [...head, ...flow.faults, ...templates.flatMap(({ faults: own }) => own)];
  if (faults.length > 0 || flow.workflow === null) throw refuse(named, faults);
  return skillOf(name, flow.workflow, templates);
}

function skillOf(name: string, { phases, limits }: SkillWorkflow, templates: readonly Template[]): Skill {
  return {
    name,
    phases: phases.map(({ phase, sections }, index) => ({
      phase,
      template: templates[index]?.text ?? '',
      sections,
    })),
    limits,
  };
}

interface FileFault extends Pick<YamlFault, 'message' | 'hint'> {
  readonly file: string;
  /** The place of the fault; null if it concerns the whole file. */
  readonly position: YamlFault['position'] | null;
}

interface Template {
  readonly text: string;
  readonly faults: readonly FileFault[];
}

const maxBytes = 64 * 1024;

/** The fields that the standard for skills requires; the author and the agents may add others. */
const frontMatterSchema = z.looseObject({
  name: z
    .string()
    .max(64)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lowercase letters, digits and single hyphens'),
  description: z.string().min(1).max(1024),
});

function readSkillFile(root: string, folderName: string): readonly FileFault[] {
  const file = 'SKILL.md';
  const text = readText(join(root, file));
  if (typeof text !== 'string') return [{ file, position: null, ...text }];
  const matter = readFrontMatter(text);
  if (matter === null) {
    const message = 'must begin with front matter: name and description between two lines ---';
    return [{ file, position: { line: 1, column: 1 }, message, hint: null }];
  }
  const reading = readYamlAs(frontMatterSchema, matter.yaml);
  const faults = reading.ok
    ? nameFaults(reading.value.name, folderName, reading.positionOf(['name']))
    : reading.faults;
  return faults.map(({ position, ...said }) => ({
    file,
    position: { ...position, line: position.line + matter.linesBefore },
    ...said,
  }));
}

function nameFaults(name: string, folder: string, position: YamlFault['position']): readonly YamlFault[] {
  if (name === folder) return [];
  const hint = 'Agents find a skill by its folder; both must be the same';
  return [{ position, message: `name: ${name} is not the name of the folder, ${folder}`, hint }];
}

function readWorkflowFile(root: string): {
  readonly workflow: SkillWorkflow | null;
  readonly faults: readonly FileFault[];
  readonly templates: readonly TemplateName[];
} {
  const file = 'workflow.yaml';
  const text = readText(join(root, file));
  if (typeof text !== 'string') {
    return { workflow: null, templates: [], faults: [{ file, position: null, ...text }] };
  }
  const reading = readWorkflow(text);
  return { ...reading, faults: reading.faults.map((fault) => ({ file, ...fault })) };
}

async function readTemplate(root: string, { path, faultOf }: TemplateName): Promise<Template> {
  const wrong = (message: string, hint: string | null = null): Template => ({
    text: '',
    faults: [{ file: 'workflow.yaml', ...faultOf(message, hint) }],
  });
  const asked = resolve(root, path);
  if (isAbsolute(path) || asked === root || !isInside(asked, root))
    return wrong(`${path} leads out of the skill's folder`, 'Put the template beside workflow.yaml');
  const text = readText(asked);
  if (text === missing) {
    const near = nearest(path, await markdownFiles(root));
    return wrong(`there is no file ${path} in the folder`, near === null ? null : `Did you mean ${near}?`);
  }
  if (typeof text !== 'string') return wrong(`${path} ${text.message}`, text.hint);
  return text.trim() === ''
    ? wrong(`${path} is empty`, 'Say what the lead has to do in this phase')
    : { text, faults: [] };
}

async function markdownFiles(root: string): Promise<readonly string[]> {
  const names = await readdir(root);
  return names.filter((name) => name.endsWith('.md'));
}

type TextFault = Pick<YamlFault, 'message' | 'hint'>;

const missing: TextFault = { message: 'is missing', hint: null };

/** Reads a file's text, or returns the reason that there is none. Follows no link: the folder may be a stranger's. */
function readText(file: string): string | TextFault {
  try {
    const bytes = readUpTo(openToRead(file), file, maxBytes);
    if (bytes === null) return { message: 'is larger than 64 KiB', hint: null };
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return missing;
    const isOdd = error instanceof CollabError && error.code === 'input';
    return { message: isOdd ? 'is not a regular file; links are not followed' : 'cannot be read as UTF-8 text', hint: null };
  }
}

function refuse(folder: string, faults: readonly FileFault[]): CollabError {
  const lines = faults.map(({ file, position, message, hint }) => {
    const place = position === null ? file : `${file}:${position.line}:${position.column}`;
    const advice = hint === null ? '' : ` (${hint})`;
    return `${join(folder, place)}: ${message}${advice}`.replaceAll(/\s+/g, ' ');
  });
  return new CollabError('config', `the skill cannot be used:\n${lines.join('\n')}`, {
    hint: "see references/skills.md for an example",
    details: { folder, faults: lines },
  });
}
