import type { StoredPrompts } from '../../plugins/sdk/control-plane/stored-prompt.ts';
import { isSendableSecret, unsendableReason } from '../../plugins/sdk/http/sendable-headers.ts';
import type { ContentHash } from '../../schema/json/canonical.ts';
import {
  credentialSecrets,
  isSavedRef,
  type PluginNeeds,
  planFormat,
  type RoutingPlan,
  type SecretRef,
  secretRefs,
  type Target,
} from '../../schema/plan/plan.ts';
import { planFeatures } from '../../schema/plan/plan-features.ts';
import type { UnusableSecret } from './link-error.ts';
import type { Names } from './plugins/names.ts';

/** Returns the message that a secret has no value, and what to do. */
export const secretProblem = (ref: SecretRef): string => {
  if (ref.startsWith('${file:'))
    return `The secret ${ref} is missing: the file does not exist, cannot be read, or is empty. Run gw doctor to find out which.`;
  if (isSavedRef(ref))
    return `The secret ${ref} cannot be decrypted, for example because a backup was restored, which has no keys of secrets. Save this credential again.`;
  const [, name] = /^\$\{env:(.*)\}$/.exec(ref) ?? [];
  const remedy = name === undefined ? '' : ` Set ${name} in the environment of the gateway, and restart it.`;
  return `The secret ${ref} is missing.${remedy}`;
};

/** The hashes of the loaded plugins' files, by plugin name. Undefined for plugins that a program passes in. */
export type PluginHashes = () => ReadonlyMap<string, ContentHash | undefined>;

const changedPlugins = ({ integrity = {} }: PluginNeeds, hashes: PluginHashes): readonly string[] => {
  const wanted = Object.entries(integrity);
  if (wanted.length === 0) return [];
  const loaded = hashes();
  return wanted.flatMap(([name, hash]) => {
    const found = loaded.get(name);
    return found === undefined || found === hash
      ? []
      : [
          `The plugin "${name}" is not the one that this plan was compiled with: its files have the hash ${found}, and the plan was compiled with ${hash}. Install that version of it, or compile the config again.`,
        ];
  });
};

const missingPrompts = (targets: readonly Target[], prompts: StoredPrompts): readonly string[] =>
  targets.flatMap(({ id, prompt }) => {
    if (prompt === undefined || prompts.get(prompt.reference)?.versionId === prompt.versionId) return [];
    return [
      `The target "${id}" sends the stored prompt "${prompt.reference}", which this gateway does not have. A config with "prompt_id" cannot be served from a file: save it with POST /v1/configs in the gateway whose store has the prompt (gw serve --store).`,
    ];
  });

/**
 * Returns the secrets that a plan needs and this gateway lacks. Returns none for a plan in a format that the gateway does not
 * run.
 */
export const missingSecrets = (
  { format, requires }: Pick<RoutingPlan, 'format' | 'requires'>,
  secrets: (ref: SecretRef) => string | undefined,
): readonly UnusableSecret[] =>
  (format === planFormat ? requires.secrets : [])
    .filter((ref) => secrets(ref) === undefined)
    .map((ref) => ({ ref, problem: secretProblem(ref) }));

/** Returns the secrets of a plan's credentials that no header can carry. */
export const unsendableSecrets = (
  { targets }: Pick<RoutingPlan, 'targets'>,
  secrets: (ref: SecretRef) => string | undefined,
): readonly UnusableSecret[] => {
  const refs = new Set(targets.flatMap(({ credential }) => secretRefs(credentialSecrets(credential))));
  return [...refs]
    .filter((ref) => !isSendableSecret(secrets(ref) ?? ''))
    .map((ref) => ({
      ref,
      problem: `The secret ${ref} cannot be sent in a header: ${unsendableReason}. Copy it again, and restart the gateway.`,
    }));
};

/** Lists everything that a plan needs and this gateway lacks, in one sentence each. */
export const planProblems = (
  { format, requires, targets }: RoutingPlan,
  names: Names,
  {
    secrets,
    prompts,
    pluginHashes,
  }: {
    readonly secrets: (ref: SecretRef) => string | undefined;
    readonly prompts: StoredPrompts;
    readonly pluginHashes: PluginHashes;
  },
): readonly string[] => {
  if (format !== planFormat)
    return [`The plan has format ${String(format)}, but this gateway runs format ${planFormat}.`];
  const { features, plugins } = requires;
  return [
    ...features
      .filter((name) => !planFeatures.has(name))
      .map((name) => `This gateway does not support the feature "${name}".`),
    ...plugins.providers
      .filter((id) => names.provider(id) === undefined)
      .map((id) => `No plugin provides the provider "${id}".`),
    ...plugins.checks
      .filter((id) => names.check(id) === undefined)
      .map((id) => `No plugin provides the check "${id}".`),
    ...changedPlugins(plugins, pluginHashes),
    ...plugins.caches
      .filter((mode) => names.cache(mode) === undefined)
      .map((mode) => `No plugin provides a cache of the mode "${mode}".`),
    ...(plugins.choosers ?? [])
      .filter((id) => names.chooser(id) === undefined)
      .map((id) => `No plugin provides the balance "${id}".`),
    ...missingPrompts(targets, prompts),
    ...missingSecrets({ format, requires }, secrets).map(({ problem }) => problem),
  ];
};
