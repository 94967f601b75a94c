import { slugModel } from '../text/slug-model.ts';

/** The target of a virtual model: a config, or a model of a provider. */
export type VirtualTarget =
  | { readonly kind: 'config'; readonly config: string }
  | { readonly kind: 'model'; readonly slug: string; readonly model: string };

/** Virtual models as they are written (`config:fast`, `@openai/gpt-5.4`), by the name that clients send as their model. */
export interface VirtualModels {
  readonly [name: string]: string;
}

const configPrefix = 'config:';

/** Parses what a virtual model stands for; undefined for a text of neither form. */
export const readVirtualTarget = (text: string): VirtualTarget | undefined => {
  if (text.startsWith(configPrefix) && text.length > configPrefix.length)
    return { kind: 'config', config: text.slice(configPrefix.length) };
  const named = slugModel(text);
  return named === undefined ? undefined : { kind: 'model', ...named };
};

/** The name of what a virtual model stands for, which conditions read as `plan.model`. */
export const virtualTargetName = (target: VirtualTarget): string =>
  target.kind === 'config' ? target.config : target.model;

/** Parses what virtual models stand for, by their names. Those of neither form are omitted. */
export const readVirtualTargets = (models: VirtualModels): ReadonlyMap<string, VirtualTarget> =>
  new Map(
    Object.entries(models).flatMap(([name, text]) => {
      const target = readVirtualTarget(text);
      return target === undefined ? [] : [[name, target]];
    }),
  );

/** The names of the virtual models that stand for a config. */
export const virtualNames = (targets: ReadonlyMap<string, VirtualTarget>, config: string): readonly string[] =>
  [...targets].flatMap(([name, target]) => (target.kind === 'config' && target.config === config ? [name] : []));

/** The most virtual models of a gateway file. */
export const maxVirtualModels = 1000;

/** The longest name of one, in characters. */
const longestVirtualName = 200;

/** Folds a name, because two names that differ only in case, or in how Unicode composes them, would be confused. */
export const foldVirtualName = (name: string): string => name.normalize('NFKC').toLowerCase();

/** Returns why no virtual model can have a name, as the end of a sentence, and what to do; undefined if one can. */
export const virtualNameError = (name: string): { readonly why: string; readonly hint: string } | undefined => {
  if (name === '') return { why: 'is empty', hint: 'Write the name that clients send as their model.' };
  if (name.length > longestVirtualName)
    return { why: `has ${name.length} characters`, hint: `Choose a name of at most ${longestVirtualName} characters.` };
  if (name !== name.trim()) return { why: 'has white space at an end', hint: 'Remove the white space.' };
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\p{Surrogate}/u.test(name))
    return { why: 'has a control character or one that cannot be seen', hint: 'Remove the character.' };
  if (name.startsWith('@'))
    return { why: 'begins with "@", as a model of a saved provider does', hint: 'Write it without "@".' };
  if (name === '.' || name === '..')
    return { why: 'is a dot segment, which no path can name', hint: 'Choose another name.' };
  return undefined;
};
