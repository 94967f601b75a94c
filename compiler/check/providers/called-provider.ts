import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Provider } from '../../../plugins/sdk/provider/provider.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { findText } from '../../../schema/json/loose.ts';
import type { CompileContext } from '../../resolve/context/compile-context.ts';
import { ownProviderSettings } from '../../resolve/providers/own-provider-settings.ts';
import { findModel, findProvider, isElsewhere } from '../../resolve/providers/source-facts.ts';
import type { IrLeaf, IrNode } from '../../resolve/tree/ir-node.ts';

/** The provider and model that a leaf calls, which decide what parameters are carried. */
export interface CalledModel {
  readonly provider: Provider;
  readonly settings: JsonObject;
  /** Absent if the request names it. */
  readonly model: string | undefined;
}

/**
 * Returns the provider that a leaf calls, if it is known, and the model, if the config names one. A server at another host may
 * accept any parameter.
 */
export const calledBy = (node: IrNode, { source }: IrLeaf): CalledModel | undefined => {
  const provider = findProvider(source);
  if (provider === undefined || isElsewhere(node, source)) return undefined;
  const saved = source.kind === 'saved' ? source.saved?.settings : undefined;
  const settings = { ...saved, ...ownProviderSettings(node.config, provider.settings ?? []) };
  return { provider, settings, model: findText(findModel(node, source)) };
};

/** Returns the dialects that the provider speaks with the model, or with any model if the request names it. */
export const spokenBy = (
  { provider, settings, model }: CalledModel,
  { catalogue }: CompileContext,
): readonly Dialect[] => {
  const ids = model === undefined ? undefined : provider.dialectsOf?.(model, settings);
  return (ids ?? Object.keys(provider.speaks)).flatMap((id) => catalogue.dialects.get(id) ?? []);
};
