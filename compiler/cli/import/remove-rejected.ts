import { settingFields } from '../../../schema/config/provider-fields.ts';
import type { Diagnostic } from '../../../schema/errors/diagnostic.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../schema/json/json.ts';
import { valueAt } from '../../../schema/json/look-up.ts';
import { fromPointer } from '../../../schema/json/pointer.ts';
import { isNearName } from '../../../schema/text/closest-name.ts';
import type { CommandServices } from '../command-line/services.ts';
import type { Draft } from './draft/draft.ts';
import { checkedToLeaveOut, type LeftOutPlace } from './draft/lost-check.ts';
import { nearestPlace } from './draft/nearest-place.ts';
import { Repair } from './draft/repair.ts';

/** The maximum number of removals from a config before the rest is given up. */
const maxRounds = 300;

/** Members that specify where a target is. */
const placeMembers: ReadonlySet<string> = new Set(['custom_host', ...settingFields]);

/** Without its host or its region, a target would call another one, so the whole target is removed. */
const placeToLeaveOut = (tokens: readonly string[]): readonly string[] =>
  placeMembers.has(tokens.at(-1) ?? '') ? tokens.slice(0, -1) : tokens;

/** Chooses the place to remove for a finding. */
const toLeaveOut = (config: Json, { code, pointer }: Diagnostic): LeftOutPlace => {
  const tokens = fromPointer(nearestPlace(config, pointer));
  return checkedToLeaveOut(config, tokens, code) ?? { place: placeToLeaveOut(tokens), isUnchecked: false };
};

/**
 * Whether a finding only means that something does less than in the other gateway until its operator adds what the source does
 * not state. The result still passes the checks.
 */
const isKeptFinding = ({ code }: Diagnostic): boolean => code === 'missing-base-url' || code === 'no-vectors';

/** Members by which a config reaches a provider. */
const reaching = ['provider', 'virtual_key', 'prompt_id', 'targets'] as const;

const reachesSomething = (config: JsonObject): boolean => reaching.some((name) => Object.hasOwn(config, name));

/** Whether a removed member, whose name may be misspelt, was meant to reach a provider. */
const losesReach = (left: JsonObject, config: JsonObject): boolean =>
  Object.keys(config).some((name) => !Object.hasOwn(left, name) && reaching.some((known) => isNearName(name, known)));

/** Whether the rest of a config is useful. Limits and caches on their own are, if the config had nothing else. */
const isUsable = (left: Json | undefined, config: JsonObject): left is JsonObject =>
  isJsonObject(left) && (reachesSomething(left) || !losesReach(left, config));

/** The configs of a file. */
interface Drafted {
  readonly draft: Draft;
  readonly names: readonly string[];
  /** The findings of the saved providers that the gateway file cannot have, by their slugs. */
  readonly refused: ReadonlyMap<string, Diagnostic>;
}

/** Replaces the finding that a provider is not saved by the finding because of which it is not. */
const withReason = (found: Diagnostic, config: Json, refused: Drafted['refused']): Diagnostic => {
  if (found.code !== 'unknown-saved-provider') return found;
  const named = valueAt(config, fromPointer(found.pointer));
  const reason = typeof named === 'string' ? refused.get(/^@([^/]*)/.exec(named)?.[1] ?? '') : undefined;
  return reason === undefined ? found : { ...found, message: reason.message, hint: reason.hint ?? '' };
};

/**
 * Removes from each of these configs what the compiler rejects, with a loss for each removal, until it rejects nothing, so that
 * the result always passes the checks. A config without any remaining target is itself a loss. A target that cannot be called yet
 * is kept.
 *
 * @returns the names of the configs that are left out
 */
export const removeRejected = async (
  { draft, names, refused }: Drafted,
  services: Pick<CommandServices, 'environment' | 'compile'>,
): Promise<readonly string[]> => {
  const environment = await services.environment('gateway.json', JSON.stringify(draft.gateway));
  for (const name of names) {
    const config = draft.configs.get(name);
    if (config === undefined) continue;
    const settling = new Repair(draft, name, config);
    const { left } = settling;
    for (let round = 0; left.value !== undefined; round += 1) {
      const text = JSON.stringify(left.value);
      const { diagnostics } = await services.compile(text, { environment, file: `configs/${name}.json`, name });
      // The last finding comes first, so that the places of the earlier ones stay valid.
      const found = diagnostics.findLast(({ severity }) => severity === 'error');
      if (found === undefined) {
        for (const each of diagnostics) if (isKeptFinding(each)) settling.lose(each);
        break;
      }
      const whole = { place: [], isUnchecked: false };
      const place = round < maxRounds ? toLeaveOut(left.value, found) : whole;
      settling.leaveOut(withReason(found, left.value, refused), place, diagnostics);
    }
    if (isUsable(left.value, config)) draft.configs.set(name, left.value);
    else draft.configs.delete(name);
  }
  return names.filter((name) => !draft.configs.has(name));
};

/** Counts the warnings of `gw check` for the configs beside the finished gateway file, whose hosts are trusted. */
export const countWarnings = async (
  { configs, gateway }: Pick<Draft, 'configs' | 'gateway'>,
  services: Pick<CommandServices, 'environment' | 'compile'>,
): Promise<number> => {
  const environment = await services.environment('gateway.json', JSON.stringify(gateway));
  let warnings = 0;
  for (const [name, config] of configs) {
    const file = `configs/${name}.json`;
    const { diagnostics } = await services.compile(JSON.stringify(config), { environment, file, name });
    warnings += diagnostics.filter(({ severity }) => severity === 'warning').length;
  }
  return warnings;
};
