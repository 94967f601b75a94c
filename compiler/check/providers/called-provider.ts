import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Provider } from '../../../plugins/sdk/provider/provider.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { CompileContext } from '../../resolve/context/compile-context.ts';
import { ownProviderSettings } from '../../resolve/providers/own-provider-settings.ts';
import { findProvider, isElsewhere } from '../../resolve/providers/source-facts.ts';
import type { IrLeaf, IrNode } from '../../resolve/tree/ir-node.ts';

/** The provider that a leaf calls, with its settings. */
export interface Called {
  readonly provider: Provider;
  readonly settings: JsonObject;
}

/** Returns the provider and model that a leaf calls, if they are known. A server at another host may accept any parameter. */
export const calledBy = (node: IrNode, { source }: IrLeaf): Called | undefined => {
  const provider = findProvider(source);
  if (provider === undefined || isElsewhere(node, source)) return undefined;
  const saved = source.kind === 'saved' ? source.saved?.settings : undefined;
  return { provider, settings: { ...saved, ...ownProviderSettings(node.config, provider.settings ?? []) } };
};

/** Returns the dialects that the provider speaks with the model, or with any model if the request names it. */
export const spokenBy = (
  { provider, settings }: Called,
  model: string | undefined,
  { catalogue }: CompileContext,
): readonly Dialect[] => {
  const ids = model === undefined ? undefined : provider.dialectsOf?.(model, settings);
  return (ids ?? Object.keys(provider.speaks)).flatMap((id) => catalogue.dialects.get(id) ?? []);
};
