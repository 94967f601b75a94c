import type { Provider } from '../../../plugins/sdk/provider/provider.ts';
import { toCredentialFields } from '../../../plugins/sdk/provider/to-credential-fields.ts';
import { savedSecrets } from '../../../schema/config/saved.ts';
import type { Config } from '../../../schema/generated/config.ts';
import type { Json } from '../../../schema/json/json.ts';
import { childPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import type { SoundItem, UsableParts } from '../../schema-errors/usable-parts.ts';
import type { IrNode, IrSource } from '../tree/ir-node.ts';
import { isGiven } from './config-members.ts';

/** Returns the provider that a leaf calls, if the config names an existing one. */
export const findProvider = (source: IrSource): Provider | undefined =>
  source.kind === 'inline' || source.kind === 'saved' ? source.provider : undefined;

/** Whether a leaf has a credential: its own, or that of the record that it names. */
export const hasCredential = ({ config }: IrNode, source: IrSource): boolean => {
  if (source.kind === 'saved') return source.saved !== undefined && savedSecrets(source.saved).length > 0;
  if (source.kind !== 'inline') return false;
  return config.keys !== undefined || toCredentialFields(source.provider).some((field) => isGiven(config, field));
};

/** Returns the model that a leaf sends, if it does not leave that to the request. */
export const findModel = ({ settings }: IrNode, source: IrSource): Json | undefined =>
  settings.override_params?.value.model ?? (source.kind === 'saved' ? source.model : undefined);

/** A model, the provider that is called with it, and the slug if that provider is a saved one. */
export interface NamedModel {
  readonly provider: Provider;
  readonly model: string;
  readonly slug: string | undefined;
}

/** Returns the model that a leaf sends and the provider that it calls, if the config names both and the provider exists. */
export const findNamedModel = (node: IrNode, source: IrSource): NamedModel | undefined => {
  const [provider, model] = [findProvider(source), findModel(node, source)];
  if (provider === undefined || typeof model !== 'string') return undefined;
  return { provider, model, slug: source.kind === 'saved' ? source.slug : undefined };
};

/** Returns where a config states the provider that a leaf calls. */
export const providerPlace = ({ pointer }: IrNode, source: IrSource): JsonPointer =>
  source.kind === 'saved' ? source.at : childPointer(pointer, 'provider');

/** Returns where a config states the model that a leaf sends: in its parameters, or by what it calls. */
export const modelPlace = (node: IrNode, source: IrSource): JsonPointer => {
  const params = node.settings.override_params;
  return params?.value.model === undefined ? providerPlace(node, source) : childPointer(params.pointer, 'model');
};

/** Whether the requests of a leaf are sent to a host other than its provider's. */
export const isElsewhere = ({ settings }: IrNode, source: IrSource): boolean =>
  (settings.custom_host ?? (source.kind === 'saved' ? source.saved?.settings?.custom_host : undefined)) !== undefined;

type PoolKey = NonNullable<Config['keys']>[number];

/** Returns the keys of a config that have the right shape, with their places. */
export const poolKeys = (
  pointer: JsonPointer,
  { keys }: Pick<Config, 'keys'>,
  sound: UsableParts,
): readonly SoundItem<PoolKey>[] =>
  sound
    .items<PoolKey>(keys, childPointer(pointer, 'keys'))
    .filter(({ pointer: at }) => !sound.isUnusable(childPointer(at, 'api_key')));
