import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import { toCredentialFields } from '../../plugins/sdk/provider/to-credential-fields.ts';
import { settingFields } from '../../schema/config/provider-fields.ts';
import type { SavedProvider } from '../../schema/config/saved.ts';
import type { Config } from '../../schema/generated/config.ts';
import type { Json } from '../../schema/json/json.ts';
import { lookUp } from '../../schema/json/look-up.ts';
import type { CredentialRef, KeyPool, TargetSource, UpstreamRef } from '../../schema/plan/plan.ts';
import { type TargetSettings, targetSettingRows } from '../../schema/plan/target-settings.ts';
import { configMembers } from '../resolve/providers/config-members.ts';
import { customHost } from '../resolve/providers/custom-host.ts';
import { forwardable } from '../resolve/providers/forwardable.ts';
import { isCloudConfig } from '../resolve/providers/is-cloud-config.ts';
import { ownProviderSettings } from '../resolve/providers/own-provider-settings.ts';
import { inheritedRows } from '../resolve/tree/inheritance.ts';
import type { IrNode, IrSource, Settings } from '../resolve/tree/ir-node.ts';
import { type Lift, liftSaved, secretValue } from './lift.ts';
import type { TargetWithoutId } from './target-table.ts';
import { wholeWeights } from './whole-weights.ts';

const settingRows = targetSettingRows.map(({ name, default: fallback }) => ({
  name,
  fallback,
  fields: inheritedRows.filter(({ becomes }) => becomes === name).map(({ field }) => field),
}));

/** Returns the settings of a target as the config states them, or their defaults. */
const toTargetSettings = (settings: Settings): TargetSettings => {
  const given = settingRows.flatMap(({ name, fallback, fields }) => {
    const value = fields.map((field) => settings[field]?.value).find((each) => each !== undefined) ?? fallback;
    return value === undefined ? [] : [[name, value]];
  });
  // A row of `inheritance` can become only a setting with the type of the field.
  return Object.fromEntries(given) as TargetSettings;
};

const toCredential = (
  fields: readonly string[],
  from: { readonly [field: string]: Json | undefined },
  lift: Lift,
): CredentialRef | null => {
  const given = fields.flatMap((field) => {
    const value = lookUp(from, field);
    return value === undefined || value === '' ? [] : [[field, secretValue(value, lift)] as const];
  });
  return given.length === 0 ? null : { kind: 'fields', fields: Object.fromEntries(given) };
};

/** Lowers several keys, whose weights were checked. */
const toPool = ({ keys = [], accounts }: Pick<SavedProvider, 'keys' | 'accounts'>, lift: Lift): KeyPool | undefined => {
  const [first, ...others] = keys;
  if (first === undefined) return undefined;
  const [weight = 0, ...weights] = wholeWeights([first, ...others].map((key) => key.weight ?? 1)) ?? [];
  return {
    kind: 'keys',
    keys: [
      { apiKey: secretValue(first.api_key, lift), weight },
      ...others.map((key, index) => ({ apiKey: secretValue(key.api_key, lift), weight: weights[index] ?? 0 })),
    ],
    ...(accounts === 'several' ? { accounts } : {}),
  };
};

/** A config that only names a place in a cloud leaves the credential to the request. */
const inlineCredential = (config: Config, provider: Provider | undefined, lift: Lift): CredentialRef | null => {
  const pool = toPool(config, lift);
  if (pool !== undefined) return pool;
  const own = toCredential(toCredentialFields(provider), configMembers(config), lift);
  return own === null && provider !== undefined && isCloudConfig(config, provider) ? { kind: 'request' } : own;
};

const savedCredential = (saved: SavedProvider | undefined, lift: Lift): CredentialRef | null => {
  const { credential = {} } = saved ?? {};
  return toPool(saved ?? {}, lift) ?? toCredential(Object.keys(credential).sort(), credential, lift);
};

const readUpstream = (host: Json | undefined): UpstreamRef => {
  const parsed = typeof host === 'string' ? customHost(host) : undefined;
  return parsed?.ok === true ? { kind: 'custom', baseUrl: parsed.baseUrl } : { kind: 'provider' };
};

type Reach = Pick<
  TargetWithoutId,
  'from' | 'credential' | 'settings' | 'upstream' | 'allowedModels' | 'chosenModels' | 'prices' | 'tls'
> & {
  readonly model?: string;
};

const fromSource = (source: IrSource): TargetSource => {
  switch (source.kind) {
    case 'inline':
      return { kind: 'inline', provider: source.provider?.id ?? source.name };
    case 'saved':
      return { kind: 'saved', slug: source.slug, provider: source.provider?.id ?? source.slug };
    case 'prompt':
      return source;
    case 'request':
    case 'none':
      return { kind: 'request' };
  }
};

const toReach = ({ config, own, settings: { custom_host: host }, shape }: IrNode, lift: Lift): Reach => {
  const source: IrSource = shape.kind === 'leaf' ? shape.source : { kind: 'none' };
  const from = fromSource(source);
  if (source.kind === 'inline') {
    const { provider } = source;
    return {
      from,
      credential: inlineCredential(config, provider, lift),
      settings: ownProviderSettings(config, provider?.settings ?? []),
      upstream: readUpstream(host?.value),
    };
  }
  if (source.kind === 'saved') {
    const { saved, provider, model } = source;
    // Settings that only the control plane reads are in no plan.
    const { custom_host: savedHost, unknown_ids: _, ...savedSettings } = saved?.settings ?? {};
    const ownSettings = ownProviderSettings(config, provider?.settings ?? []);
    const chosenModels = provider?.settingsModels?.(ownSettings) ?? [];
    return {
      from,
      ...(model === undefined ? {} : { model }),
      ...(saved?.models === undefined ? {} : { allowedModels: saved.models }),
      ...(chosenModels.length === 0 ? {} : { chosenModels }),
      ...(saved?.prices === undefined ? {} : { prices: saved.prices }),
      ...(saved?.tls === undefined ? {} : { tls: saved.tls }),
      credential: savedCredential(saved, liftSaved(lift)),
      settings: { ...savedSettings, ...ownSettings },
      upstream: readUpstream(own.custom_host?.value ?? savedHost ?? host?.value),
    };
  }
  return {
    from,
    credential: { kind: 'request' },
    settings: ownProviderSettings(config, settingFields),
    upstream: readUpstream(host?.value),
  };
};

const toPrompt = ({ shape }: IrNode): Pick<TargetWithoutId, 'prompt'> => {
  const prompt = shape.kind === 'leaf' ? shape.prompt : undefined;
  if (prompt?.found === undefined) return {};
  const { versionId, kind } = prompt.found;
  return { prompt: { reference: prompt.reference, versionId, kind } };
};

/** Lowers the target of a leaf with the settings that apply to it. */
export const lowerTarget = (node: IrNode, lift: Lift): TargetWithoutId => {
  const { settings } = node;
  return {
    ...toReach(node, lift),
    headers: { forward: (settings.forward_headers?.value ?? []).filter(forwardable) },
    params: { override: settings.override_params?.value ?? {} },
    ...toTargetSettings(settings),
    ...toPrompt(node),
  };
};
