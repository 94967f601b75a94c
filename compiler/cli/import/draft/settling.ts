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
import type { Draft, Loss } from './draft.ts';
import { LeftOut } from './left-out.ts';
import { checkRemedy, type LeftOutPlace } from './lost-check.ts';

/** A longer hint lists all that is allowed, which is of no help to somebody who imports. */
const maxHint = 300;

const shortHint = ({ hint = '' }: Diagnostic): string | undefined =>
  hint === '' || hint.length > maxHint ? undefined : hint;

const groupOf = (at: JsonPointer): JsonPointer => toPointer(fromPointer(at).slice(0, -1));

/** Findings of a target or a group that follow from something that was left out, each with the place that it was in. */
const consequences: ReadonlyMap<string, (at: JsonPointer) => JsonPointer> = new Map([
  ['no-valid-combination', (at: JsonPointer) => at],
  ['missing-targets', groupOf],
  ['missing-strategy', (at: JsonPointer) => childPointer(groupOf(at), 'strategy')],
]);

/** The remedy for a saved provider that cannot be called yet. */
const ofSaved = 'Write it under "settings" beside its "credential" in gateway.json, or a custom_host.';

/** The remedy for a cache without vectors: what is saved of the source may be virtual keys alone. */
const ofVectors =
  'Save the provider that makes them under "providers" in gateway.json, also where it is a virtual key there, and name it: "cache": { "semantic": { "provider": "@openai", "model": "text-embedding-3-small" } }. Or write the mode "simple".';

/** Whether a place is another one, or in it. */
const isWithin = (at: JsonPointer, pointer: JsonPointer): boolean => pointer === at || pointer.startsWith(`${at}/`);

/** A part that was left out of a check, while it is not known whether the check can do without it. */
interface LostPart {
  readonly found: Diagnostic;
  /** Its place in the config as it was. */
  readonly pointer: JsonPointer;
  readonly loss: Loss;
  /** All that was found at the same time. */
  readonly known: ReadonlySet<string>;
}

/** The part by whose loss something was found, directly or by the loss of what it was in; undefined if it was found before. */
const findCause = (
  { pointer, why }: { readonly pointer: JsonPointer; readonly why: string },
  parts: readonly LostPart[],
): LostPart | undefined => {
  const at = parts.findLastIndex((part) => isWithin(pointer, part.pointer) && !part.known.has(why));
  const found = parts[at];
  return found && (findCause({ pointer: found.pointer, why: found.loss.why }, parts.slice(0, at)) ?? found);
};

/** A config while what is refused of it is left out. */
export class Settling {
  readonly left: LeftOut;
  readonly #draft: Draft;
  readonly #name: string;
  #parts: readonly LostPart[] = [];

  constructor(draft: Draft, name: string, config: Json) {
    this.left = new LeftOut(config);
    this.#draft = draft;
    this.#name = name;
  }

  /** Turns a finding into a loss; undefined where another one says it. A target of the source may stand at several places. */
  lose(found: Diagnostic): Loss | undefined {
    const { code, message } = found;
    const at = this.#sourceOf(found);
    if (this.#draft.losses.some(({ pointer, why }) => pointer === at && why.startsWith(`${message} (`)))
      return undefined;
    const around = consequences.get(code)?.(at);
    if (around !== undefined && this.#draft.losses.some(({ pointer }) => isWithin(around, pointer))) return undefined;
    return this.#draft.lose(at, this.#why(found), this.#remedy(found) ?? 'Leave it out.');
  }

  /** Turns one of the findings into a loss, and leaves out what it is of. */
  leaveOut(found: Diagnostic, { place, stays, checked, isUnchecked }: LeftOutPlace, all: readonly Diagnostic[]): void {
    if (checked === undefined) this.lose(found);
    else if (isUnchecked) this.#loseCheck(found, this.left.before(toPointer(checked)));
    else this.#losePart(found, all);
    if (this.#isTarget(place)) this.#draft.leftOut.push(this.#sourceOf({ pointer: toPointer(place) }));
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

  /** One loss of a check, a hook or a guardrail. Where that cannot do without a part that was left out before, the part is why. */
  #loseCheck(found: Diagnostic, checked: JsonPointer): void {
    const why = this.#why(found);
    const parts = this.#parts.filter(({ pointer }) => isWithin(checked, pointer));
    const cause = findCause({ pointer: this.left.before(found.pointer), why }, parts);
    this.#draft.takeBack(parts.map(({ loss }) => loss));
    this.#parts = this.#parts.filter((part) => !parts.includes(part));
    const reason = cause?.found ?? found;
    const remedy = checkRemedy(this.left.value ?? {}, reason, shortHint(reason));
    this.#draft.loseCheck(cause?.loss.pointer ?? this.#sourceOf(found), cause?.loss.why ?? why, remedy);
  }

  /** Whether a place is a target as a whole, and no group of them. */
  #isTarget(place: readonly string[]): boolean {
    const target = valueAt(this.left.value ?? {}, place);
    return isJsonObject(target) && target.targets === undefined && (place.length === 0 || place.at(-2) === 'targets');
  }

  /** Whether a finding is shown at the name of what is saved, and not at that of a provider. */
  #isSaved({ pointer }: Diagnostic): boolean {
    const named = valueAt(this.left.value ?? {}, fromPointer(pointer));
    return pointer.endsWith('/virtual_key') || (typeof named === 'string' && named.startsWith('@'));
  }

  #sourceOf({ pointer }: Pick<Diagnostic, 'pointer'>): JsonPointer {
    return this.#draft.origin(this.#name, this.left.before(pointer));
  }

  #why({ message, pointer }: Diagnostic): string {
    return `${message} (${toOptionPath(this.left.before(pointer))})`;
  }
}
