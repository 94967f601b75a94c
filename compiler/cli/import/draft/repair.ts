import type { Diagnostic } from '../../../../schema/errors/diagnostic.ts';
import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { valueAt } from '../../../../schema/json/look-up.ts';
import {
  childPointer,
  fromPointer,
  type JsonPointer,
  toOptionPath,
  toPointer,
} from '../../../../schema/json/pointer.ts';
import { toSnake } from '../../../../schema/portkey/members.ts';
import { isNearName } from '../../../../schema/text/closest-name.ts';
import { savedSlug } from '../../../../schema/text/slug-model.ts';
import type { Draft, Loss } from './draft.ts';
import { LeftOut } from './left-out.ts';
import { checkRemedy, type LeftOutPlace } from './lost-check.ts';

/** A longer hint lists everything that is allowed, which does not help somebody who imports. */
const maxHint = 300;

const shortHint = ({ hint = '' }: Diagnostic): string | undefined =>
  hint === '' || hint.length > maxHint ? undefined : hint;

const groupOf = (at: JsonPointer): JsonPointer => toPointer(fromPointer(at).slice(0, -1));

/** Findings of a target or a group that follow from an earlier removal, each with the place that contained the removed part. */
const consequences: ReadonlyMap<string, (at: JsonPointer) => JsonPointer> = new Map([
  ['no-valid-combination', (at: JsonPointer) => at],
  ['missing-targets', groupOf],
  ['missing-strategy', (at: JsonPointer) => childPointer(groupOf(at), 'strategy')],
]);

/** Whether a place equals another one or is inside it. */
const isWithin = (at: JsonPointer, pointer: JsonPointer): boolean => pointer === at || pointer.startsWith(`${at}/`);

/** Findings about an object that lacks members, which are named at the end of the message. */
const missingMembers: ReadonlySet<string> = new Set(['missing-key', 'missing-default', 'missing-conditions']);

/** Whether each member that an object lacks was removed from it or is misspelt there. */
const followsFromLoss = ({ code, message }: Diagnostic, object: JsonPointer, losses: readonly Loss[]): boolean => {
  if (!missingMembers.has(code)) return false;
  const [, missing = ''] = message.split(' requires ');
  const depth = fromPointer(object).length;
  const lost = losses
    .filter(({ pointer }) => isWithin(object, pointer))
    .flatMap(({ pointer }) =>
      fromPointer(pointer)
        .slice(depth, depth + 1)
        .map(toSnake),
    );
  const names = [...missing.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name);
  return names.length > 0 && names.every((name) => lost.some((each) => isNearName(each, name)));
};

/** The remedy for a saved provider that cannot be called yet. */
const ofSaved = 'Write it under "settings" beside its "credential" in gateway.json, or a custom_host.';

/** The remedy for a cache without vectors. The source may have saved only virtual keys. */
const ofVectors =
  'Save the provider for embeddings under "providers" in gateway.json, even if it is a virtual key there, and name it: "cache": { "semantic": { "provider": "@openai", "model": "text-embedding-3-small" } }. Or write the mode "simple".';

/** A part that was removed from a check, before it is known whether the check works without it. */
interface LostPart {
  readonly found: Diagnostic;
  /** Its place in the original config. */
  readonly pointer: JsonPointer;
  readonly loss: Loss;
  /** Everything that was found at the same time. */
  readonly known: ReadonlySet<string>;
}

/**
 * Returns the part whose removal caused a finding, directly or through the removal of what contained it; undefined if the finding
 * is older.
 */
const findCause = (
  { pointer, why }: { readonly pointer: JsonPointer; readonly why: string },
  parts: readonly LostPart[],
): LostPart | undefined => {
  const at = parts.findLastIndex((part) => isWithin(pointer, part.pointer) && !part.known.has(why));
  const found = parts[at];
  return found && (findCause({ pointer: found.pointer, why: found.loss.why }, parts.slice(0, at)) ?? found);
};

/** A member of a config, with its name in the source. */
interface WrittenName {
  readonly ours: string;
  readonly theirs: string;
}

const isNumber = /^\d+$/;

/** A config from which the parts that the compiler rejects are removed. */
export class Repair {
  readonly left: LeftOut;
  readonly #draft: Draft;
  readonly #name: string;
  /** The original config. */
  readonly #whole: Json;
  #parts: readonly LostPart[] = [];

  constructor(draft: Draft, name: string, config: Json) {
    this.left = new LeftOut(config);
    this.#draft = draft;
    this.#name = name;
    this.#whole = config;
  }

  /**
   * Turns a finding into a loss; returns undefined if another loss covers it. A target of the source may be at several places.
   */
  lose(found: Diagnostic): Loss | undefined {
    const { code } = found;
    const at = this.#sourceOf(found);
    const message = this.#message(found);
    if (this.#draft.lossesOfFile().some(({ pointer, why }) => pointer === at && why.startsWith(`${message} (`)))
      return undefined;
    const around = consequences.get(code)?.(at);
    if (around !== undefined && this.#draft.lossesOfFile().some(({ pointer }) => isWithin(around, pointer)))
      return undefined;
    if (followsFromLoss(found, at, this.#draft.lossesOfFile())) return undefined;
    return this.#draft.lose(at, this.#why(found), this.#remedy(found) ?? 'Leave it out.');
  }

  /** Turns one of the findings into a loss, and removes its subject. */
  leaveOut(found: Diagnostic, { place, stays, checked, isUnchecked }: LeftOutPlace, all: readonly Diagnostic[]): void {
    if (checked === undefined) this.lose(found);
    else if (isUnchecked) this.#loseCheck(found, this.left.before(toPointer(checked)));
    else this.#losePart(found, all);
    const target = this.#targetAround(place, this.left.widen(place, stays));
    if (target !== undefined) this.#draft.leftOut.push(this.#sourceOf({ pointer: toPointer(target) }));
    this.left.leaveOut(place, stays);
  }

  #remedy(found: Diagnostic): string | undefined {
    if (found.code === 'no-vectors') return ofVectors;
    return found.code === 'missing-base-url' && this.#isSaved(found) ? ofSaved : shortHint(found);
  }

  #losePart(found: Diagnostic, all: readonly Diagnostic[]): void {
    const loss = this.lose(found);
    if (loss === undefined) return;
    const known = new Set(all.map((each) => this.#why(each)));
    this.#parts = [...this.#parts, { found, pointer: this.left.before(found.pointer), loss, known }];
  }

  /**
   * Adds one loss for a check, a hook or a guardrail. If it cannot work without a part that was removed before, that part is the
   * reason.
   */
  #loseCheck(found: Diagnostic, checked: JsonPointer): void {
    const why = this.#why(found);
    const parts = this.#parts.filter(({ pointer }) => isWithin(checked, pointer));
    const cause = findCause({ pointer: this.left.before(found.pointer), why }, parts);
    this.#draft.removeLosses(parts.map(({ loss }) => loss));
    this.#parts = this.#parts.filter((part) => !parts.includes(part));
    const reason = cause?.found ?? found;
    const remedy = checkRemedy(this.left.value ?? {}, reason, shortHint(reason));
    this.#draft.loseCheck(cause?.loss.pointer ?? this.#sourceOf(found), cause?.loss.why ?? why, remedy);
  }

  /** Whether a place is a whole target, and not a group. */
  #isTarget(place: readonly string[]): boolean {
    const target = valueAt(this.#whole, fromPointer(this.left.before(toPointer(place))));
    return isJsonObject(target) && target.targets === undefined && (place.length === 0 || place.at(-2) === 'targets');
  }

  /** Returns the target that contains a place, if the whole target is removed with that place. */
  #targetAround(place: readonly string[], leftOut: readonly string[]): readonly string[] | undefined {
    const around = place.map((_, index) => place.slice(0, index));
    return [...around, place].find((each) => each.length >= leftOut.length && this.#isTarget(each));
  }

  /** Whether a finding is about a saved record rather than a provider. */
  #isSaved({ pointer }: Diagnostic): boolean {
    const named = valueAt(this.left.value ?? {}, fromPointer(pointer));
    return pointer.endsWith('/virtual_key') || (typeof named === 'string' && savedSlug(named) !== undefined);
  }

  #sourceOf({ pointer }: Pick<Diagnostic, 'pointer'>): JsonPointer {
    return this.#draft.origin(this.#name, this.left.before(pointer));
  }

  /** Returns the names on the path to a place, each with its name in the source, which may be in camel case. */
  #namesTo(pointer: JsonPointer): readonly WrittenName[] {
    const tokens = fromPointer(this.left.before(pointer));
    return tokens.map((ours, index) => {
      const theirs = fromPointer(this.#draft.origin(this.#name, toPointer(tokens.slice(0, index + 1)))).at(-1);
      return { ours, theirs: isNumber.test(ours) || theirs === undefined || isNumber.test(theirs) ? ours : theirs };
    });
  }

  /** Returns the message of a finding, with the names of the source. */
  #message({ message, pointer }: Diagnostic): string {
    return this.#namesTo(pointer).reduce(
      (text, { ours, theirs }) => text.replaceAll(`"${ours}"`, () => `"${theirs}"`),
      message,
    );
  }

  #why(found: Diagnostic): string {
    const path = toPointer(this.#namesTo(found.pointer).map(({ theirs }) => theirs));
    return `${this.#message(found)} (${toOptionPath(path)})`;
  }
}
