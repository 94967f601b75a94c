import type { Catalogue } from '../../plugins/sdk/plugin/catalogue.ts';
import { aliasConfig } from '../../schema/config/alias-config.ts';
import type { Saved } from '../../schema/config/saved.ts';
import {
  foldVirtualName,
  maxVirtualModels,
  readVirtualTarget,
  type VirtualModels,
  virtualNameError,
} from '../../schema/config/virtual-models.ts';
import { lookUp } from '../../schema/json/look-up.ts';
import { childPointer, rootPointer } from '../../schema/json/pointer.ts';
import { compile } from '../compile.ts';
import { suggestion } from '../diagnostics/closest.ts';
import type { ReportedDiagnostic } from '../diagnostics/reporter.ts';
import type { SavedProblem } from './check-saved.ts';

const models = childPointer(rootPointer, 'models');

const nameProblem = (name: string): SavedProblem | undefined => {
  const error = virtualNameError(name);
  return (
    error && {
      code: 'wrong-model-name',
      pointer: childPointer(models, name),
      part: 'key',
      message: `The name of a virtual model ${error.why}.`,
      hint: error.hint,
    }
  );
};

/** Reports names that a reader would take for an earlier one. */
const collisions = (names: readonly string[]): readonly SavedProblem[] => {
  const first = new Map<string, string>();
  return names.flatMap((name) => {
    const folded = foldVirtualName(name);
    const earlier = first.get(folded);
    first.set(folded, earlier ?? name);
    if (earlier === undefined) return [];
    return [
      {
        code: 'similar-model-names',
        pointer: childPointer(models, name),
        part: 'key',
        message: `The virtual models "${earlier}" and "${name}" differ only in case.`,
        hint: 'Give one of them another name: they would be confused.',
      },
    ];
  });
};

/** Returns the problem of a provider that is not saved. Only a provider that needs no credential can be named by its id. */
const unsavedProblem = (
  slug: string,
  { providers: saved }: Saved,
  { providers }: Catalogue,
): Omit<SavedProblem, 'pointer'> | undefined => {
  if (lookUp(saved, slug) !== undefined) return undefined;
  const provider = providers.get(slug);
  if (provider === undefined)
    return {
      code: 'unknown-saved-provider',
      message: `There is no saved provider "${slug}".`,
      hint: suggestion(slug, Object.keys(saved), 'The gateway file saves'),
    };
  if (provider.credential !== 'required') return undefined;
  return {
    code: 'unsaved-provider',
    message: `The provider "${slug}" needs a credential, but no provider is saved as "${slug}".`,
    hint: `Save it under "providers", as "${slug}" or another slug, with its "credential".`,
  };
};

/** Returns a hint for a text in another form: a saved provider and its model need an "@". */
const formHint = (text: string, { providers }: Saved): string =>
  lookUp(providers, text.slice(0, Math.max(0, text.indexOf('/')))) === undefined
    ? 'Write "config:NAME" for a config, or "@slug/model" for a model of a saved provider.'
    : `Did you mean "@${text}"?`;

const valueProblems = (name: string, text: string, saved: Saved, catalogue: Catalogue): readonly SavedProblem[] => {
  const pointer = childPointer(models, name);
  const target = readVirtualTarget(text);
  if (target === undefined)
    return [
      {
        code: 'wrong-model-form',
        pointer,
        message: `"${text}" names neither a config nor a model of a provider.`,
        hint: formHint(text, saved),
      },
    ];
  // Which configs exist is known only after they are read.
  if (target.kind === 'config') return [];
  const unsaved = unsavedProblem(target.slug, saved, catalogue);
  if (unsaved !== undefined) return [{ ...unsaved, pointer }];
  const options = { trust: 'operator', catalogue, saved } as const;
  const errorsOf = (config: string): readonly ReportedDiagnostic[] =>
    compile(config, options).diagnostics.filter(({ severity }) => severity === 'error');
  const errors = errorsOf(aliasConfig(name, target, saved));
  // Whatever is wrong with the saved provider itself is reported there.
  const ofProvider = errors.length === 0 ? [] : errorsOf(JSON.stringify({ provider: `@${target.slug}` }));
  const isOwn = ({ code, message }: ReportedDiagnostic): boolean =>
    !ofProvider.some((each) => each.code === code && each.message === message);
  return errors.filter(isOwn).map(({ code, message, hint = '' }) => ({ code, pointer, message, hint }));
};

/** Reports what is wrong with the virtual models of a gateway file, apart from the configs that they name. */
export const checkModels = (
  given: VirtualModels,
  { saved, catalogue }: { readonly saved: Saved; readonly catalogue: Catalogue },
): readonly SavedProblem[] => {
  const names = Object.keys(given);
  if (names.length > maxVirtualModels)
    return [
      {
        code: 'too-many-models',
        pointer: models,
        part: 'key',
        message: `There are ${names.length} virtual models, but at most ${maxVirtualModels} are allowed.`,
        hint: 'Remove some of them.',
      },
    ];
  return [
    ...names.flatMap((name) => nameProblem(name) ?? []),
    ...collisions(names),
    ...Object.entries(given).flatMap(([name, text]) => valueProblems(name, text, saved, catalogue)),
  ];
};
