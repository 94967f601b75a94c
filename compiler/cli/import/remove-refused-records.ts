import type { Diagnostic } from '../../../schema/errors/diagnostic.ts';
import { isJsonObject } from '../../../schema/json/json.ts';
import { lookUp } from '../../../schema/json/look-up.ts';
import { fromPointer, toPointer } from '../../../schema/json/pointer.ts';
import type { CommandServices } from '../command-line/services.ts';
import { type Draft, gatewayFile, isNamed } from './draft/draft.ts';

/** The tables of the gateway file whose records come from the source. */
const tables: ReadonlySet<string> = new Set(['guardrails', 'models', 'providers', 'virtual_keys']);

/** A record of the gateway file, or the whole table if the finding is about all its records. */
const recordOf = ({ pointer }: Diagnostic): readonly string[] => fromPointer(pointer).slice(0, 2);

/** Removes a record from the gateway file. Returns whether it had one. */
const remove = ({ gateway }: Draft, [table = '', name]: readonly string[]): boolean => {
  const records = gateway[table];
  if (!isJsonObject(records) || (name !== undefined && lookUp(records, name) === undefined)) return false;
  const left = Object.entries(records).filter(([each]) => name !== undefined && each !== name);
  if (left.length === 0) delete gateway[table];
  else gateway[table] = Object.fromEntries(left);
  return true;
};

/** Adds a loss for a record. A saved provider that a config names is a loss of its targets, which are left out too. */
const lose = (draft: Draft, { message, hint = '', pointer }: Diagnostic): void => {
  const [table = '', name = ''] = fromPointer(pointer);
  const configs = JSON.stringify([...draft.configs.values()]);
  if (table === 'providers' && isNamed(configs, { table, name })) return;
  const at = draft.origin(gatewayFile, toPointer([table, name]));
  const why = `${message} ("${name}")`;
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
