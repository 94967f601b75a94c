import { maxVirtualModels } from '../../../schema/config/virtual-models.ts';
import type { Diagnostic } from '../../../schema/errors/diagnostic.ts';
import { isJsonObject } from '../../../schema/json/json.ts';
import { fromPointer, toPointer } from '../../../schema/json/pointer.ts';
import type { CommandServices } from '../command-line/services.ts';
import { type Draft, gatewayFile, isNamed } from './draft/draft.ts';

/** The tables of the gateway file whose records come from the source. */
const tables: ReadonlySet<string> = new Set(['guardrails', 'models', 'providers', 'virtual_keys']);

/** The table and the name of a record of the gateway file; without a name if there are too many virtual models. */
const recordOf = ({ pointer }: Diagnostic): readonly string[] => fromPointer(pointer).slice(0, 2);

/** Removes a record, or the virtual models that are too many, from the gateway file. Returns whether anything was removed. */
const remove = ({ gateway }: Draft, [table = '', name]: readonly string[]): boolean => {
  const records = gateway[table];
  if (!isJsonObject(records)) return false;
  const all = Object.entries(records);
  const left = name === undefined ? all.slice(0, maxVirtualModels) : all.filter(([each]) => each !== name);
  if (left.length === all.length) return false;
  if (left.length === 0) delete gateway[table];
  else gateway[table] = Object.fromEntries(left);
  return true;
};

const isNamedByConfigs = ({ configs }: Draft, name: string): boolean =>
  isNamed(JSON.stringify([...configs.values()]), { table: 'providers', name });

/** Adds a loss for a record. A saved provider that a config names is a loss of its targets, which are left out too. */
const lose = (draft: Draft, { message, hint = '', pointer }: Diagnostic): void => {
  const [table = '', name] = fromPointer(pointer);
  if (table === 'providers' && name !== undefined && isNamedByConfigs(draft, name)) return;
  const at = draft.origin(gatewayFile, toPointer(name === undefined ? [table] : [table, name]));
  const why = name === undefined ? message : `${message} ("${name}")`;
  const instead = `${hint} Then import the file again into another folder.`;
  if (table === 'guardrails') draft.loseCheck(at, why, instead);
  else draft.lose(at, why, instead);
};

/**
 * Removes the records of the gateway file that the compiler rejects, such as a virtual model whose name no model can have, because
 * no gateway starts with one of them.
 *
 * @returns the findings of the saved providers, by their slugs
 */
export const removeRefusedRecords = async (
  draft: Draft,
  { environment }: Pick<CommandServices, 'environment'>,
): Promise<ReadonlyMap<string, Diagnostic>> => {
  const providers = new Map<string, Diagnostic>();
  for (;;) {
    const { diagnostics } = await environment('gateway.json', JSON.stringify(draft.gateway));
    const refused = diagnostics.filter(
      (each) => each.severity === 'error' && tables.has(recordOf(each)[0] ?? '') && remove(draft, recordOf(each)),
    );
    if (refused.length === 0) return providers;
    if (draft.gateway.providers === undefined) draft.hasReachableProvider = false;
    for (const each of refused) {
      lose(draft, each);
      const [table, slug = ''] = recordOf(each);
      if (table === 'providers') providers.set(slug, each);
    }
  }
};
