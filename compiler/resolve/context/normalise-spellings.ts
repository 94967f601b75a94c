import { type SecondSpelling, secondSpellings } from '../../../schema/config/provider-fields.ts';
import type { Trust } from '../../../schema/config/trust.ts';
import type { Config } from '../../../schema/generated/config.ts';
import { isJsonObject } from '../../../schema/json/json.ts';
import { childPointer, fromPointer, type JsonPointer, rootPointer } from '../../../schema/json/pointer.ts';
import type { Reporter } from '../../diagnostics/reporter.ts';
import { refersAnywhere } from '../../schema-errors/is-reference.ts';

/** How a text spells the fields that have two spellings, by the places of the first spelling. */
export interface SpellingMap {
  /** Returns where the field of a place is written: in its own spelling, in the second one, or in both with the same value. */
  readPlaces(pointer: JsonPointer): readonly [JsonPointer, ...JsonPointer[]];
  /** Returns the name of a config's field as it is written. */
  readName(pointer: JsonPointer, field: string): string;
}

/** A config that uses only first spellings, and a reporter that reports at the places that were written. */
export interface NormalisedConfig {
  readonly config: Config;
  readonly spellings: SpellingMap;
  readonly reporter: Reporter;
}

type Written = Map<JsonPointer, readonly [JsonPointer, ...JsonPointer[]]>;

interface Renaming {
  readonly trust: Trust;
  readonly reporter: Reporter;
  readonly written: Written;
}

// The table has no inherited keys.
const seconds = Object.keys(secondSpellings) as readonly SecondSpelling[];

const bearer = /^bearer(?:\s+|$)/i;

/** Returns the key in the value of an `Authorization`. The provider's row states how it is sent. */
const keyIn = (value: string, at: JsonPointer, { trust, reporter }: Renaming): string => {
  const key = value.replace(bearer, '').trim();
  // In files, the check of secrets rejects every literal and explains a malformed reference.
  if (trust !== 'operator' && /\s/.test(key) && !refersAnywhere(key))
    reporter.report('authorization-scheme', { pointer: at, part: 'value' }, {});
  return key;
};

/** Returns the mirror of a config with its target in first spellings; the same object if the target has no other. */
const renamedMirror = ({ mirror }: Config, pointer: JsonPointer, renaming: Renaming): Config['mirror'] => {
  // A mirror of another type was reported, and is skipped.
  if (mirror === undefined || !isJsonObject(mirror) || !isJsonObject(mirror.target)) return mirror;
  const target = renamed(mirror.target, childPointer(pointer, 'mirror', 'target'), renaming);
  return target === mirror.target ? mirror : { ...mirror, target };
};

const renamed = (config: Config, pointer: JsonPointer, renaming: Renaming): Config => {
  const { reporter, written } = renaming;
  const found = seconds.filter((second) => config[second] !== undefined);
  const targets = config.targets?.map((target, index) =>
    // A target of another type was reported, and is skipped.
    isJsonObject(target) ? renamed(target, childPointer(pointer, 'targets', index), renaming) : target,
  );
  const mirror = renamedMirror(config, pointer, renaming);
  const isSame =
    mirror === config.mirror &&
    (targets === undefined || targets.every((target, index) => target === config.targets?.[index]));
  const inner = { ...(targets === undefined ? {} : { targets }), ...(mirror === undefined ? {} : { mirror }) };
  if (found.length === 0) return isSame ? config : { ...config, ...inner };
  const { clouda_resource_name, clouda_deployment_id, clouda_api_version, Authorization, ...rest } = config;
  const result: Config = { ...rest, ...inner };
  for (const second of found) {
    const first = secondSpellings[second];
    const at = childPointer(pointer, second);
    const firstAt = childPointer(pointer, first);
    const text = config[second] ?? '';
    const value = second === 'Authorization' ? keyIn(text, at, renaming) : text;
    const other = config[first];
    if (other !== undefined && other !== value)
      reporter.report('conflicting-spellings', { pointer: at, part: 'key' }, { first, second });
    written.set(firstAt, other === undefined ? [at] : [firstAt, at]);
    result[first] = other ?? value;
  }
  return result;
};

const spellingsIn = (written: Written): SpellingMap => ({
  readPlaces: (pointer) => written.get(pointer) ?? [pointer],
  readName: (pointer, field) =>
    fromPointer(written.get(childPointer(pointer, field))?.[0] ?? rootPointer).at(-1) ?? field,
});

/** Reports at the place that was written. Fields with two spellings are strings, so there are no places below them. */
const reporterAt = (reporter: Reporter, { readPlaces }: SpellingMap): Reporter => ({
  report: (code, place, params) => reporter.report(code, { ...place, pointer: readPlaces(place.pointer)[0] }, params),
  reportAt: reporter.reportAt,
  diagnostics: reporter.diagnostics,
  get failed() {
    return reporter.failed;
  },
  get full() {
    return reporter.full;
  },
});

/** The spellings of a text that uses only first spellings. */
export const firstSpellingsOnly: SpellingMap = spellingsIn(new Map());

/**
 * Converts every field of a config and of its targets to its first spelling; all later code handles only that. Two spellings with
 * different values in one object are an error. Diagnostics point to the spelling that was written.
 */
export const normaliseSpellings = (config: Config, trust: Trust, reporter: Reporter): NormalisedConfig => {
  const written: Written = new Map();
  const spelt = renamed(config, rootPointer, { trust, reporter, written });
  const spellings = spellingsIn(written);
  return { config: spelt, spellings, reporter: written.size === 0 ? reporter : reporterAt(reporter, spellings) };
};
