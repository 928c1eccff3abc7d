/** Loads the class of a provider's folder. This runs the folder's code, so it is done only if the user has chosen it by name. */
import { basename, isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { importModule } from '../../system/import-module.ts';
import { variableOf, type AiClientClass } from '../client/ai-client.ts';
import type { FolderFault, FolderFaultCode } from './folder-fault.ts';
import { provideOwnPackage } from './own-package.ts';
import { capitalize } from '../../text/capitalize.ts';
import { renderCount } from '../../text/quantities.ts';

export interface LoadedClass {
  /** The class; null if there are faults. */
  readonly Client: AiClientClass | null;
  readonly faults: readonly FolderFault[];
}

/** Loads and checks the class. `entry` is absolute. */
export async function loadClass(name: string, entry: string): Promise<LoadedClass> {
  const fault = faultMaker(entry);
  const imported = await importEntry(entry);
  if ('message' in imported) {
    return refused([
      fault(
        'entry_fails',
        `a module that can be imported: ${imported.message}`,
        'Correct it; collab provider check shows the rest.',
      ),
    ]);
  }
  const found = classesNamed(name, imported.module);
  const [Client] = found;
  if (Client === undefined) {
    return refused([
      fault(
        'class_missing',
        `the exported class ${classNameOf(name)}; exported is ${exportsOf(imported.module)}`,
        `Export it: export class ${classNameOf(name)} extends AiClient`,
      ),
    ]);
  }
  if (found.length > 1) {
    const names = found.map((constructor) => constructor.name).join(' and ');
    return refused([fault('class_ambiguous', `one class of this name, not ${names}`, 'Export one of them.')]);
  }
  const faults = classFaults(name, entry, Client);
  return { Client: faults.length === 0 && isClientClass(Client) ? Client : null, faults };
}

/** Checks the class itself. `entry` is the place shown in its faults. */
export function classFaults(name: string, entry: string, Client: Constructor): readonly FolderFault[] {
  const fault = faultMaker(entry);
  return [
    ...staticFaults(Client, name, fault),
    ...methodFaults(Client, fault),
    ...keyFaults(Client, name, fault),
  ];
}

/** Returns the class name: `azure_openai` → `AzureOpenaiClient`; other capitals are also valid (X003-15). */
export function classNameOf(provider: string): string {
  return `${provider.split('_').map(capitalize).join('')}Client`;
}

type Constructor = new (...args: never[]) => object;
type FaultMaker = (code: FolderFaultCode, expected: string, fix: string) => FolderFault;

function faultMaker(path: string): FaultMaker {
  return (code, expected, fix) => ({ code, path, expected, fix });
}

function refused(faults: readonly FolderFault[]): LoadedClass {
  return { Client: null, faults };
}

async function importEntry(
  entry: string,
): Promise<{ readonly module: object } | { readonly message: string }> {
  provideOwnPackage();
  try {
    const module = await importModule(pathToFileURL(entry).href);
    return { module: module !== null && typeof module === 'object' ? module : {} };
  } catch (error) {
    return { message: error instanceof Error ? error.message : String(error) };
  }
}

/** Finds classes by the name of the export or, for a default one, of the class itself. */
function classesNamed(provider: string, module: object): readonly Constructor[] {
  const wanted = `${provider.replaceAll('_', '').toLowerCase()}client`;
  const classes = Object.entries(module).flatMap(([key, value]) => {
    if (!isConstructor(value)) return [];
    return (key === 'default' ? value.name : key).toLowerCase() === wanted ? [value] : [];
  });
  return [...new Set(classes)];
}

function isConstructor(value: unknown): value is Constructor {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value));
}

function exportsOf(module: object): string {
  return Object.keys(module).join(', ') || 'nothing';
}

function staticFaults(Client: Constructor, name: string, fault: FaultMaker): readonly FolderFault[] {
  const providerName = callStatic(Client, 'getProviderName');
  const profileDir = callStatic(Client, 'getProfileDir');
  const nameIsRight = providerName.value === name;
  const dirIsRight =
    typeof profileDir.value === 'string' &&
    isAbsolute(profileDir.value) &&
    basename(resolve(profileDir.value)) === 'ai_profile';
  return [
    ...(nameIsRight
      ? []
      : [
          fault(
            'provider_name',
            `static getProviderName() to give ${name}, the name of the folder; it ${providerName.says}`,
            `static getProviderName() { return '${name}'; }`,
          ),
        ]),
    ...(dirIsRight
      ? []
      : [
          fault(
            'profile_dir',
            `static getProfileDir() to give the absolute path of ai_profile; it ${profileDir.says}`,
            "static getProfileDir() { return path.join(import.meta.dirname, 'ai_profile'); }",
          ),
        ]),
  ];
}

function callStatic(Client: Constructor, key: string): { readonly value: unknown; readonly says: string } {
  const method: unknown = Reflect.get(Client, key);
  if (typeof method !== 'function') return { value: undefined, says: 'is missing' };
  try {
    const value: unknown = Reflect.apply(method, Client, []);
    return { value, says: `gives ${JSON.stringify(value) ?? String(value)}` };
  } catch (error) {
    return { value: undefined, says: `throws ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** The required methods and the number of arguments that each is called with. */
const methods: Readonly<Record<string, number>> = {
  sendRequest: 1,
  sendRequestStream: 1,
  extractResponseText: 1,
  handleFunctionCalls: 4,
  handleFunctionCallsStream: 4,
};

function methodFaults(Client: Constructor, fault: FaultMaker): readonly FolderFault[] {
  return Object.entries(methods).flatMap(([name, count]) => {
    const method: unknown = Reflect.get(Client.prototype, name);
    if (typeof method !== 'function') {
      return [fault('method_missing', `the method ${name}`, 'Extend AiClient, or implement it.')];
    }
    if (method.length <= count) return [];
    const expected = `${name} to be callable with ${renderCount(count, 'argument')}; it takes ${method.length}`;
    return [fault('method_arity', expected, 'See references/providers.md for its options.')];
  });
}

/** Checks that the constructor throws and names the variable without the key, and does not throw with it (R003-58). */
function keyFaults(Client: Constructor, name: string, fault: FaultMaker): readonly FolderFault[] {
  const variable = variableOf(name, 'API_KEY');
  const mode: unknown = Reflect.get(Client, 'authMode') ?? 'api_key';
  const bare = constructWith(Client, variable, undefined);
  const keyed = constructWith(Client, variable, 'check-key-0123456789');
  if (mode !== 'api_key') {
    const broken = mode === 'none' ? bare : null;
    return broken === null
      ? []
      : [
          fault(
            'key_variable',
            `a constructor that needs no key; it says: ${broken}`,
            'Do not require a key.',
          ),
        ];
  }
  return [
    ...(bare?.includes(variable) === true
      ? []
      : [
          fault(
            'key_variable',
            `the constructor to throw a ValueError that names ${variable} if it is not set; it ${bare === null ? 'throws nothing' : `says: ${bare}`}`,
            `Read the key from ${variable}; extending AiClient does it.`,
          ),
        ]),
    ...(keyed === null
      ? []
      : [
          fault(
            'key_variable',
            `the constructor to succeed with ${variable} set; it says: ${keyed}`,
            `Read the key from ${variable}.`,
          ),
        ]),
  ];
}

/** Returns the constructor's error; null if it throws nothing. Restores the variable. */
function constructWith(Client: Constructor, variable: string, value: string | undefined): string | null {
  const before = process.env[variable];
  setVariable(variable, value);
  try {
    Reflect.construct(Client, []);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    setVariable(variable, before);
  }
}

function setVariable(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

function isClientClass(Client: unknown): Client is AiClientClass {
  return typeof Client === 'function' && 'getProviderName' in Client && 'getProfileDir' in Client;
}
