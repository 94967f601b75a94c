import { isJsonObject, type Json, type JsonObject } from '../../../schema/json.ts';
import type { TextSpan } from '../../sdk/dialect.ts';
import type { Member, Members } from './members.ts';
import { argumentsSpan, inside, type SpanPlace, span, valueSpan } from './text-spans.ts';

/** Whether members that a format does not document are judged (behaviour of the gateway's `unjudged_members`). */
export type UnknownMembers = 'judge' | 'allow';

/** What was read of a body so far. */
class Reading {
  readonly spans: TextSpan[] = [];
  readonly #unknown: UnknownMembers;
  hasMedia = false;
  isUnreadable = false;

  constructor(unknown: UnknownMembers) {
    this.#unknown = unknown;
  }

  read(member: Member, value: Json, place: SpanPlace): void {
    if (value === null) return;
    switch (member.is) {
      case 'structural':
        return this.#structural(value, place);
      case 'instructions':
        return;
      case 'media':
        this.hasMedia = true;
        return;
      case 'refused':
        this.isUnreadable = true;
        return;
      case 'text':
        return typeof value === 'string' ? this.#add(span(value, ofKind(place, member))) : this.unknown(value, place);
      case 'value':
        return this.#add(valueSpan(value, ofKind(place, member)));
      case 'json':
        return this.#add(argumentsSpan(value, ofKind(place, member)));
      case 'object':
        return isJsonObject(value)
          ? this.object(member.members, value, ofKind(place, member))
          : this.unknown(value, place);
      case 'list':
        if (!Array.isArray(value)) return this.read(member.item, value, place);
        for (const [index, item] of value.entries()) this.read(member.item, item, inside(place, index));
        return;
      case 'text-or':
        return typeof value === 'string' ? this.#add(span(value, place)) : this.read(member.other, value, place);
      case 'variants':
        return this.#variant(member, value, place);
      case 'lazy':
        return this.read(member.member(), value, place);
      case 'custom': {
        const spans = member.read(value, place);
        if (spans === undefined) this.isUnreadable = true;
        else this.#add(spans);
      }
    }
  }

  object(members: Members, value: JsonObject, place: SpanPlace): void {
    for (const name in members) {
      const member = members[name];
      const own = Object.hasOwn(value, name) ? value[name] : undefined;
      if (member !== undefined && own !== undefined) this.read(member, own, inside(place, name));
    }
    for (const name in value) {
      const own = value[name];
      if (own !== undefined && !Object.hasOwn(members, name)) this.unknown(own, inside(place, name));
    }
  }

  unknown(value: Json, place: SpanPlace): void {
    if (this.#unknown === 'judge') this.#add(valueSpan(value, place));
  }

  #add(spans: readonly TextSpan[]): void {
    for (const one of spans) this.spans.push(one);
  }

  #structural(value: Json, place: SpanPlace): void {
    if (typeof value === 'string' ? /\s/.test(value) : typeof value === 'object') this.unknown(value, place);
  }

  #variant({ by, cases, absent }: Extract<Member, { is: 'variants' }>, value: Json, place: SpanPlace): void {
    if (!isJsonObject(value)) return this.unknown(value, place);
    const name = value[by];
    if (name === undefined) return this.read(absent, value, place);
    const member = typeof name === 'string' && Object.hasOwn(cases, name) ? cases[name] : undefined;
    if (member === undefined) this.unknown(value, place);
    else this.read(member, value, place);
  }
}

const ofKind = (place: SpanPlace, { kind }: { readonly kind?: SpanPlace['kind'] }): SpanPlace =>
  kind === undefined ? place : { ...place, kind };

/** The texts in a value, by the table of its format; whether it holds media, and whether it has what cannot be read. */
export const readMembers = (
  member: Member,
  value: Json,
  { place, unknown }: { readonly place: SpanPlace; readonly unknown: UnknownMembers },
): Pick<Reading, 'spans' | 'hasMedia' | 'isUnreadable'> => {
  const reading = new Reading(unknown);
  reading.read(member, value, place);
  return reading;
};
