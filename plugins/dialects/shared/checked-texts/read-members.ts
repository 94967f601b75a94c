import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { findNumber } from '../../../../schema/json/loose.ts';
import type { CustomMember, Member, Members } from '../../../sdk/dialect/members.ts';
import type { FrameTexts, SpanPlace, TextReading, TextSpan } from '../../../sdk/dialect/text-span.ts';
import { argumentsSpan, inside, span, valueSpan } from './text-spans.ts';
import { isNamed, UndocumentedTexts } from './undocumented-texts.ts';

/** The texts in a value, whether it contains media, and whether it contains anything unreadable. */
export interface ReadTexts {
  readonly spans: readonly TextSpan[];
  /** The documented texts of a frame, which events should report. */
  readonly reported: FrameTexts['reported'];
  readonly hasMedia: boolean;
  readonly isUnreadable: boolean;
}

export interface ReadOptions {
  readonly place: SpanPlace;
  readonly unknown: TextReading['unknown'];
  /** Whether the value belongs to a stream's frame. Then only texts that the dialect's events do not report are read. */
  readonly isFrame?: boolean;
}

const ofKind = (place: SpanPlace, { kind }: { readonly kind?: SpanPlace['kind'] }): SpanPlace =>
  kind === undefined ? place : { ...place, kind };

const otherKind = ({ kind }: SpanPlace): SpanPlace['kind'] => (kind === 'text' ? 'other' : kind);

/** How deeply values of the same kind may be nested. Deeper values are read without their table. */
const maxNested = 64;

/** The positions of names in tables. Tables have many more names than bodies have members. */
const ranks = new WeakMap<Members, ReadonlyMap<string, number>>();

const ranksOf = (members: Members): ReadonlyMap<string, number> => {
  const known = ranks.get(members);
  if (known !== undefined) return known;
  const made = new Map(Object.keys(members).map((name, rank) => [name, rank]));
  ranks.set(members, made);
  return made;
};

/** Returns the names of a value that a table has, in the order of the table, and the other names. */
const namesByTable = (
  members: Members,
  value: JsonObject,
): { readonly known: readonly string[]; readonly unknown: readonly string[] } => {
  const rank = ranksOf(members);
  const known: string[] = [];
  const unknown: string[] = [];
  for (const name of Object.keys(value)) (rank.has(name) ? known : unknown).push(name);
  if (known.length > 1) known.sort((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0));
  return { known, unknown };
};

/** Whether a value is an id, an enumeration, a number or a flag. */
const isStructure = (value: Json): boolean => (typeof value === 'string' ? isNamed(value) : typeof value !== 'object');

/** Whether a member that is present has nothing to read, such as a model's name. */
const hasNoText = ({ is }: Member, value: Json): boolean =>
  value === null || is === 'echo' || (is === 'structural' && isStructure(value));

/** Reads values by their tables. */
export class MemberReader implements ReadTexts {
  readonly spans: TextSpan[] = [];
  readonly reported: FrameTexts['reported'][number][] = [];
  readonly #stray = new UndocumentedTexts((found) => this.#add(found));
  readonly #unknown: TextReading['unknown'];
  /** Whether events report the documented texts of a frame. */
  #isReported: boolean;
  hasMedia = false;
  #isUnreadable = false;
  #nested = 0;
  /** The objects that are being read, the innermost first. */
  #within: readonly JsonObject[] = [];

  constructor({ unknown, isFrame = false }: ReadOptions) {
    this.#unknown = unknown;
    this.#isReported = isFrame;
  }

  get isUnreadable(): boolean {
    return this.#isUnreadable || this.#stray.areUnreadable;
  }

  read(member: Member, value: Json, place: SpanPlace): void {
    if (value === null) return;
    switch (member.is) {
      case 'structural':
        this.#readStructural(value, place);
        break;
      case 'facts':
        this.#readFacts(value, place);
        break;
      case 'media':
        this.hasMedia = true;
        break;
      case 'refused':
        this.#isUnreadable = true;
        break;
      case 'text':
        if (typeof value === 'string') this.#report(span(value, ofKind(place, member)));
        else this.#readMisshapen(value, ofKind(place, member));
        break;
      case 'value':
        this.#report(valueSpan(value, ofKind(place, member)));
        break;
      case 'json':
        this.#report(argumentsSpan(value, ofKind(place, member)), value);
        break;
      case 'object':
        if (isJsonObject(value)) this.#readObject(member.members, value, ofKind(place, member));
        else this.#readMisshapen(value, ofKind(place, member));
        break;
      case 'list':
        if (!Array.isArray(value)) this.#readSingle(member.item, value, place);
        else for (const [index, item] of value.entries()) this.read(member.item, item, inside(place, index));
        break;
      case 'choices':
        this.#readChoices(member.item, value, place);
        break;
      case 'map':
        this.#readMap(member.member, value, place);
        break;
      case 'text-or':
        if (typeof value === 'string') this.#report(span(value, place));
        else this.read(member.other, value, place);
        break;
      case 'variants':
        this.#readVariant(member, value, place);
        break;
      case 'lazy':
        this.#readNested(member.member, value, place);
        break;
      case 'again':
        this.#readAgain(member.member, value, place);
        break;
      case 'untold':
        this.#readFrames(member.member, value, place);
        break;
      case 'custom':
        this.#readCustom(member.read(value, place, this.#within));
        break;
      case 'instructions':
      case 'echo':
      case 'before':
        break;
    }
  }

  #add(spans: readonly TextSpan[]): void {
    for (const one of spans) this.spans.push(one);
  }

  /** Adds documented texts, which are written as `value` if that is a string. */
  #report(spans: readonly TextSpan[], value?: Json): void {
    if (!this.#isReported) this.#add(spans);
    else for (const span of spans) this.reported.push({ span, written: typeof value === 'string' ? value : span.text });
  }

  #readUnknown(value: Json, place: SpanPlace): void {
    if (this.#unknown === 'allow') return;
    this.#stray.read(value, { ...place, kind: otherKind(place) });
  }

  #readUnknownMember(name: string, value: Json, place: SpanPlace): void {
    if (this.#unknown === 'allow') return;
    this.#stray.readMember(name, value, { ...place, kind: otherKind(place) });
  }

  /** Reads a documented member that has another shape, because a lenient provider may read it. */
  #readMisshapen(value: Json, place: SpanPlace): void {
    this.#stray.read(value, place);
  }

  #readStructural(value: Json, place: SpanPlace): void {
    if (!isStructure(value)) this.#readUnknown(value, place);
  }

  /** Reads facts. Their strings are structural. */
  #readFacts(value: Json, place: SpanPlace): void {
    if (this.#unknown === 'allow') return;
    const stray = new UndocumentedTexts((found) => this.#add(found), { onlyWords: true });
    stray.read(value, { ...place, kind: otherKind(place) });
    this.#isUnreadable ||= stray.areUnreadable;
  }

  /**
   * Skips text that the same choice has produced already, which is not judged again. In requests everything is read, because it
   * may be replaced.
   */
  #readAgain(member: Member, value: Json, place: SpanPlace): void {
    const said = this.spans.length;
    this.read(member, value, place);
    if (place.choice === undefined || this.spans.length === said) return;
    const repeated = this.spans.splice(said);
    const before = this.spans.filter(({ choice }) => choice === place.choice).map(({ text }) => text);
    this.#add(repeated.filter(({ text }) => !before.some((each) => each.includes(text))));
  }

  #readCustom(spans: ReturnType<CustomMember['read']>): void {
    if (spans === 'media') this.hasMedia = true;
    else if (spans !== undefined) this.#report(spans);
    else if (!this.#isReported) this.#isUnreadable = true;
  }

  #readObject(members: Members, value: JsonObject, place: SpanPlace): void {
    const outer = this.#within;
    this.#within = outer[0] === undefined ? [value] : [value, outer[0]];
    const { known, unknown } = namesByTable(members, value);
    for (const name of known) {
      const [member, own] = [members[name], value[name]];
      if (member === undefined || own === undefined || hasNoText(member, own)) continue;
      this.read(member, own, inside(place, name));
    }
    for (const name of unknown) {
      const own = value[name];
      if (own !== undefined) this.#readUnknownMember(name, own, inside(place, name));
    }
    this.#within = outer;
  }

  /** Reads an item in place of a documented list, which stream decoders do not report. */
  #readSingle(item: Member, value: Json, place: SpanPlace): void {
    if (this.#isReported) this.#readMisshapen(value, place);
    else this.read(item, value, place);
  }

  #readNested(member: () => Member, value: Json, place: SpanPlace): void {
    if (this.#nested === maxNested) {
      this.#readMisshapen(value, place);
      return;
    }
    this.#nested += 1;
    this.read(member(), value, place);
    this.#nested -= 1;
  }

  #readChoices(item: Member, value: Json, place: SpanPlace): void {
    if (this.#isReported && !Array.isArray(value)) {
      this.#readMisshapen(value, place);
      return;
    }
    for (const [position, choice] of (Array.isArray(value) ? value : [value]).entries()) {
      const index = isJsonObject(choice) ? findNumber(choice.index) : undefined;
      this.read(item, choice, { ...inside(place, position), choice: index ?? position });
    }
  }

  #readMap(member: Member, value: Json, place: SpanPlace): void {
    if (!isJsonObject(value)) this.#readMisshapen(value, place);
    else if (Object.keys(value).every((name) => isNamed(name)))
      for (const [name, own] of Object.entries(value)) this.read(member, own, inside(place, name));
    else this.#readMisshapen(value, place);
  }

  #readVariant(member: Extract<Member, { is: 'variants' }>, value: Json, place: SpanPlace): void {
    const { by, cases, absent } = member;
    const tag = isJsonObject(value) && Object.hasOwn(value, by) ? value[by] : undefined;
    const name = typeof tag === 'boolean' ? String(tag) : tag;
    const known = typeof name === 'string' && Object.hasOwn(cases, name) ? cases[name] : undefined;
    if (!isJsonObject(value)) this.#readMisshapen(value, place);
    else if (known !== undefined) this.read(known, value, place);
    else if (name === undefined || name === null || this.#unknown === 'allow') this.read(absent, value, place);
    else this.#readUnknown(value, place);
  }

  #readFrames(member: Member, value: Json, place: SpanPlace): void {
    const wasReported = this.#isReported;
    this.#isReported = false;
    this.read(member, value, place);
    this.#isReported = wasReported;
  }
}

/** Returns the texts in a value, by the table of its format. */
export const readMembers = (member: Member, value: Json, options: ReadOptions): ReadTexts => {
  const reader = new MemberReader(options);
  reader.read(member, value, options.place);
  return reader;
};
