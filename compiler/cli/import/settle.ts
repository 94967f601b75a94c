import { settingFields } from '../../../schema/config/provider-fields.ts';
import type { Diagnostic } from '../../../schema/errors/diagnostic.ts';
import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import { lookUp } from '../../../schema/json/look-up.ts';
import { fromPointer, type JsonPointer, toOptionPath, toPointer } from '../../../schema/json/pointer.ts';
import type { CommandServices } from '../command-line/services.ts';
import type { Draft, Loss } from './draft/draft.ts';
import { LeftOut } from './draft/left-out.ts';
import { checkRemedy, checkToLeaveOut } from './draft/lost-check.ts';
import { nearestPlace } from './draft/nearest-place.ts';

/** More members of a config than are taken out before the rest is given up. */
const maxRounds = 300;

/** A longer hint is one that lists names. */
const maxHint = 300;

/** Members that say where a target is. */
const placeMembers: ReadonlySet<string> = new Set(['custom_host', ...settingFields]);

/** Without its host or its region a target would ask another one, so that it is left out as a whole. */
const placeToLeaveOut = (tokens: readonly string[]): readonly string[] =>
  placeMembers.has(tokens.at(-1) ?? '') ? tokens.slice(0, -1) : tokens;

/** Findings of a target or a group that follow from something that was left out of it. */
const consequences: ReadonlySet<string> = new Set(['no-valid-combination', 'missing-targets']);

/** The remedies of findings of checks, whose own hints are for somebody who has a gateway file already. */
const checkRemedies: Readonly<Record<string, typeof checkRemedy>> = {
  'unknown-check': checkRemedy,
  'unknown-guardrail': () =>
    'Nothing is checked by it until you write it under "guardrails" in gateway.json, and name it in the config again.',
};

/** Whether a loss is that of something at or in a place. */
const isWithin = (at: JsonPointer, { pointer }: Loss): boolean => pointer === at || pointer.startsWith(`${at}/`);

interface Settled {
  readonly draft: Draft;
  readonly name: string;
  readonly left: LeftOut;
}

/** Turns a finding into a loss. A list of all that is allowed is of no help to somebody who imports. */
const lose = ({ draft, name, left }: Settled, found: Diagnostic): void => {
  const { code, message, hint } = found;
  const pointer = left.before(found.pointer);
  const at = draft.origin(name, pointer);
  const around = code === 'missing-targets' ? toPointer(fromPointer(at).slice(0, -1)) : at;
  if (consequences.has(code) && draft.losses.some((loss) => isWithin(around, loss))) return;
  const why = `${message} (${toOptionPath(pointer)})`;
  const remedy = lookUp(checkRemedies, code);
  if (remedy !== undefined) draft.loseCheck(at, why, remedy(left.value ?? {}, fromPointer(found.pointer)));
  else draft.lose(at, why, hint === undefined || hint.length > maxHint ? 'Leave it out.' : hint);
};

/** The place to leave out for a finding. */
const toLeaveOut = (config: Json, { code, pointer }: Diagnostic): readonly string[] => {
  const tokens = fromPointer(nearestPlace(config, pointer));
  return code === 'unknown-check' ? checkToLeaveOut(config, tokens) : placeToLeaveOut(tokens);
};

/** A target that nothing is wrong with, and that cannot be called until its operator adds what the source does not say. */
const isUncallable = ({ code }: Diagnostic): boolean => code === 'missing-base-url';

/**
 * Takes out of each of these configs what the compiler refuses, as a loss with its sentence, until it refuses nothing: what is imported can
 * always be checked. A config of which nothing is left is a loss itself; a target that cannot be called yet is one that stays.
 */
export const settle = async (
  draft: Draft,
  names: readonly string[],
  services: Pick<CommandServices, 'environment' | 'compile'>,
): Promise<void> => {
  const environment = await services.environment('gateway.json', JSON.stringify(draft.gateway));
  for (const name of names) {
    const config = draft.configs.get(name);
    if (config === undefined) continue;
    const left = new LeftOut(config);
    const loseFinding = (found: Diagnostic): void => lose({ draft, name, left }, found);
    for (let round = 0; left.value !== undefined; round += 1) {
      const text = JSON.stringify(left.value);
      const { diagnostics } = await services.compile(text, { environment, file: `configs/${name}.json`, name });
      // The last one first, so that the places of those before it stay.
      const found = diagnostics.findLast(({ severity }) => severity === 'error');
      if (found === undefined) {
        for (const each of diagnostics) if (isUncallable(each)) loseFinding(each);
        break;
      }
      loseFinding(found);
      left.leaveOut(round < maxRounds ? toLeaveOut(left.value, found) : []);
    }
    if (isJsonObject(left.value)) draft.configs.set(name, left.value);
    else draft.configs.delete(name);
  }
};
