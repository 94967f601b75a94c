import { toCredentialFields } from '../../../plugins/sdk/provider/to-credential-fields.ts';
import { credentialFields } from '../../../schema/config/provider-fields.ts';
import { savedSecrets } from '../../../schema/config/saved.ts';
import type { Trust } from '../../../schema/config/trust.ts';
import { childPointer } from '../../../schema/json/pointer.ts';
import { savedSlug } from '../../../schema/text/slug-model.ts';
import type { CompileContext } from '../../resolve/context/compile-context.ts';
import { isGiven } from '../../resolve/providers/config-members.ts';
import { forwardsCredential } from '../../resolve/providers/forwards-credential.ts';
import { isCloudConfig } from '../../resolve/providers/is-cloud-config.ts';
import type { SavedSource } from '../../resolve/providers/saved-source.ts';
import { isElsewhere } from '../../resolve/providers/source-facts.ts';
import type { IrNode, IrSource } from '../../resolve/tree/ir-node.ts';
import { referenceForms } from '../../schema-errors/is-reference.ts';
import { describePlace } from '../../schema-errors/words.ts';
import { type Check, defineCheck, type IrParent } from '../visitor/define-check.ts';

type Inline = Extract<IrSource, { kind: 'inline' }>;

const reportMixed = (
  { config, pointer }: IrNode,
  source: SavedSource,
  { reporter, catalogue, spellings }: CompileContext,
): void => {
  const what = describePlace(pointer);
  const clash = (second: string): void =>
    reporter.report(
      'mixed-credentials',
      { pointer: childPointer(pointer, second), part: 'key' },
      {
        what,
        first: source.by === 'override_params' ? 'override_params.model' : source.by,
        second: spellings.readName(pointer, second),
      },
    );
  for (const field of ['keys', ...credentialFields]) if (isGiven(config, field)) clash(field);
  if (source.by !== 'virtual_key' || config.provider === undefined) return;
  const named = catalogue.providers.get(config.provider);
  // An unknown provider is a mistake of its own.
  if (named === undefined && savedSlug(config.provider) === undefined) return;
  if (named === undefined || (source.provider !== undefined && named !== source.provider)) clash('provider');
};

const quoted = (fields: readonly string[]): string => fields.map((field) => `"${field}"`).join(' and ');

const addCredential = (fields: readonly string[]): string => `Add ${quoted(fields)}, or use a saved provider ("@…").`;

/** A group's credential is not inherited by its targets. */
const missingHint = (
  fields: readonly string[],
  parent: IrParent | undefined,
  { spellings }: Pick<CompileContext, 'spellings'>,
): string => {
  if (parent === undefined || !fields.some((field) => isGiven(parent.node.config, field))) return addCredential(fields);
  const names = fields.map((field) => spellings.readName(parent.node.pointer, field));
  return `Move ${quoted(names)} into this target; targets do not inherit credentials.`;
};

/** Only an operator's file can refer to a secret. */
const emptyHint = (trust: Trust): string => {
  if (trust === 'operator') return `Write a reference: ${referenceForms}.`;
  const sealed = trust === 'saved' ? ', which is sealed when it is saved' : '';
  return `Write the credential itself${sealed}, or use a saved provider ("@…").`;
};

const reportMissing = (
  { config, settings, pointer }: IrNode,
  source: Inline,
  { parent, context }: { readonly parent: IrParent | undefined; readonly context: CompileContext },
): void => {
  const { reporter, sound, spellings } = context;
  const { provider } = source;
  if (provider?.credential !== 'required' || settings.custom_host !== undefined) return;
  if (isCloudConfig(config, provider)) return;
  if (forwardsCredential(settings, sound) !== undefined || config.keys !== undefined) return;
  const fields = toCredentialFields(provider);
  if (fields.some((field) => isGiven(config, field) || sound.isUnusable(childPointer(pointer, field)))) return;
  if (sound.isUnusable(childPointer(pointer, 'custom_host'))) return;
  const empty = fields.find((field) => Object.hasOwn(config, field));
  if (empty !== undefined) {
    const place = { pointer: childPointer(pointer, empty), part: 'value' } as const;
    reporter.report('empty-credential', place, {
      setting: spellings.readName(pointer, empty),
      provider: source.name,
      suggestion: emptyHint(context.trust),
    });
    return;
  }
  const what = pointer === '' ? 'the config' : 'this target';
  reporter.report(
    'missing-credentials',
    { pointer: childPointer(pointer, 'provider'), part: 'value' },
    { provider: source.name, what, suggestion: missingHint(fields, parent, context) },
  );
};

const reportMissingSaved = (node: IrNode, source: SavedSource, { reporter, trust }: CompileContext): void => {
  const { provider, saved, at, slug } = source;
  if (provider?.credential !== 'required' || saved === undefined) return;
  if (savedSecrets(saved).length > 0) return;
  if (provider.usesMachineIdentity?.(saved.settings ?? {}) === true) return;
  if (isElsewhere(node, source)) return;
  reporter.report(
    'missing-credentials',
    { pointer: at, part: 'value' },
    {
      provider: provider.id,
      what: `the one saved as "${slug}"`,
      suggestion:
        trust === 'operator' ? 'Add its "credential" in the gateway file.' : 'Add its "credential" where it is saved.',
    },
  );
};

/**
 * Reports a mirror that would use a saved credential. The copies for a config that comes with a request are paid with credentials
 * of the request.
 */
const reportCopied = ({ isCopy }: IrNode, { at, slug }: SavedSource, { reporter, trust }: CompileContext): void => {
  if (isCopy === true && trust === 'caller')
    reporter.report('mirror-credential', { pointer: at, part: 'value' }, { name: slug });
};

/** Checks that a target has the credential that its provider needs, and only one. */
export const credentials: Check = defineCheck({
  name: 'credentials',
  create: (context) => ({
    node(node, parent) {
      if (node.shape.kind !== 'leaf') return;
      const { source } = node.shape;
      if (source.kind === 'inline') reportMissing(node, source, { parent, context });
      if (source.kind !== 'saved') return;
      reportCopied(node, source, context);
      reportMixed(node, source, context);
      reportMissingSaved(node, source, context);
    },
  }),
});
