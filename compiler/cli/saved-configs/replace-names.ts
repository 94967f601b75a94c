import type { Saved } from '../../../schema/config/saved.ts';
import type { FoundName, MissingName, SavedKind } from '../../../schema/config/saved-names.ts';
import type { Diagnostic } from '../../../schema/errors/diagnostic.ts';
import { suggestion } from '../../diagnostics/closest.ts';
import { parseConfig } from '../../parse/parse-config.ts';
import type { StoreNames } from './store-names.ts';

interface KindName {
  /** The codes of the diagnostics about a name that the compiler does not know. */
  readonly codes: readonly string[];
  readonly what: string;
  /** How configs write a name. */
  readonly prefix: '@' | '';
  readonly namesIn: (saved: Saved) => readonly string[];
}

const words: { readonly [Kind in SavedKind]: KindName } = {
  providers: {
    codes: ['unknown-saved-provider', 'unusable-prompt'],
    what: 'provider',
    prefix: '@',
    namesIn: ({ providers }) => Object.keys(providers),
  },
  virtualKeys: {
    codes: ['unknown-virtual-key', 'unusable-prompt'],
    what: 'virtual key',
    prefix: '',
    namesIn: ({ virtualKeys }) => Object.keys(virtualKeys),
  },
  guardrails: {
    codes: ['unknown-guardrail'],
    what: 'guardrail',
    prefix: '',
    namesIn: ({ guardrails }) => Object.keys(guardrails),
  },
  prompts: {
    codes: ['unknown-prompt', 'no-stored-prompts'],
    what: 'prompt',
    prefix: '',
    namesIn: ({ prompts }) => prompts?.slugs ?? [],
  },
};

/** Returns the missing name at the place of a finding. */
const missingAt = ({ code, pointer }: Diagnostic, missing: readonly MissingName[]): MissingName | undefined =>
  missing.find(({ kind, at }) => at === pointer && words[kind].codes.includes(code));

const unknownHint = ({ kind, name }: MissingName, found: Extract<FoundName, { kind: 'unknown' }>, saved: Saved) => {
  if (found.why !== undefined) return found.why;
  const { what, prefix, namesIn } = words[kind];
  const names = [...new Set([...found.names, ...namesIn(saved)])].map((each) => `${prefix}${each}`);
  return names.length === 0
    ? `gw ${what.replace(' ', '-')}s list shows what there is.`
    : suggestion(`${prefix}${name}`, names, 'Saved names');
};

export interface NameContext {
  readonly names: StoreNames;
  readonly missing: readonly MissingName[];
  /** The saved names that the config was compiled with. */
  readonly saved: Saved;
  /** `http://127.0.0.1:8787`. */
  readonly origin: string;
}

const replaceNames1 = (diagnostic: Diagnostic, { names, missing, saved, origin }: NameContext): Diagnostic => {
  const name = missingAt(diagnostic, missing);
  const found = name && names.of(name);
  if (name === undefined || found === undefined || found.kind === 'found') return diagnostic;
  // The compiler knows which versions a prompt lacks.
  if (found.kind === 'unknown' && name.kind === 'prompts' && found.names.length > 0) return diagnostic;
  if (found.kind === 'unknown') return { ...diagnostic, hint: unknownHint(name, found, saved) };
  return {
    ...diagnostic,
    code: 'unread-name',
    message: `The ${words[name.kind].what} "${name.name}" was not checked: it could not be looked up at ${origin}.`,
    hint: found.why,
  };
};

/** Updates the findings about names with the answers of the store. */
export const replaceNames = (diagnostics: readonly Diagnostic[], options: NameContext): readonly Diagnostic[] =>
  diagnostics.map((each) => replaceNames1(each, options));

/** Reports names that the store has but that could not be read completely. */
export const partlyReadNames = (
  text: string,
  { names, missing, file }: Pick<NameContext, 'names' | 'missing'> & { readonly file: string },
): readonly Diagnostic[] => {
  const halves = missing.flatMap((name) => {
    const found = names.of(name);
    return found?.kind === 'found' && found.unread !== undefined ? [{ ...name, hint: found.unread }] : [];
  });
  if (halves.length === 0) return [];
  const { document } = parseConfig(text, { file, isFile: true });
  return halves.flatMap(({ kind, name, at, hint }) =>
    document === undefined
      ? []
      : [
          {
            code: 'unread-name',
            severity: 'warning',
            message: `Not all of the saved ${words[kind].what} "${name}" could be read.`,
            hint,
            file,
            pointer: at,
            span: document.readSpan(at, 'value'),
          } as const,
        ],
  );
};

/** For a config in the gateway's own folder, explains why it cannot use a name of a store. */
export const reportStoreNames = (
  diagnostics: readonly Diagnostic[],
  { names, missing, origin }: Omit<NameContext, 'saved'>,
): readonly Diagnostic[] =>
  diagnostics.map((each) => {
    const name = missingAt(each, missing);
    if (name === undefined || names.of(name)?.kind !== 'found') return each;
    return {
      ...each,
      hint: `It is saved in the store of ${origin}, which configs of a gateway file cannot use. Save this config there too (gw configs create), or keep its file elsewhere.`,
    };
  });
