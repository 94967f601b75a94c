import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { lookUp } from '../json/look-up.ts';
import { childPointer, type JsonPointer, joinPointers, rootPointer } from '../json/pointer.ts';
import { toBreaker } from './breaker.ts';
import { hookNamer, hookNames, type SourcedMember, toHooks } from './hooks.ts';
import { isCheckName, isOwnName, movedOutOfStrategy, renamedMembers, renamedModes, toSnake } from './members.ts';

/** A string of a config, with the member that contains it. */
export interface ConvertedText {
  readonly value: string;
  /** The name of the member, in snake case. */
  readonly name: string;
  readonly source: JsonPointer;
  /** The provider that the enclosing object calls. */
  readonly provider: string | undefined;
}

/** The questions that a conversion asks its caller, and its reports. */
export interface ConversionPort {
  /** Records the place in the source from which a place in the result comes. */
  mapSource(made: JsonPointer, source: JsonPointer): void;
  /** Records something that has no counterpart, with sentences that say why and what to do instead. */
  reportLoss(source: JsonPointer, why: string, instead: string): void;
  /** Returns the string for the result. */
  text(text: ConvertedText): string;
  /** Whether to omit a member. */
  isOmitted(member: Pick<SourcedMember, 'name' | 'value' | 'source'>): boolean;
  /** Completes an object that was built from these members. */
  finish(made: JsonObject, members: readonly SourcedMember[], provider: string | undefined): JsonObject;
}

interface Place {
  readonly source: JsonPointer;
  readonly made: JsonPointer;
  /** Whether the names in it are chosen by the user. */
  readonly isOwn: boolean;
  /** Whether it is a guardrail, or a list of them. */
  readonly hasChecks?: boolean | undefined;
  /** The source of each item of a list; absent if the items are those at `source`. */
  readonly items?: readonly JsonPointer[] | undefined;
  /** The provider that the enclosing object calls. */
  readonly provider?: string | undefined;
}

class Converter {
  readonly #port: ConversionPort;
  readonly #nameHook: ReturnType<typeof hookNamer>;

  constructor(port: ConversionPort, config: Json) {
    this.#port = port;
    this.#nameHook = hookNamer(config);
  }

  value(value: Json, place: Place, name = ''): Json {
    this.#port.mapSource(place.made, place.source);
    if (Array.isArray(value))
      return value.map((item, index) =>
        this.value(item, {
          source: place.items?.[index] ?? childPointer(place.source, index),
          made: childPointer(place.made, index),
          isOwn: place.isOwn,
          hasChecks: place.hasChecks,
        }),
      );
    if (isJsonObject(value)) return this.#object(value, place);
    if (typeof value !== 'string') return value;
    if (!place.isOwn && name === 'mode') return lookUp(renamedModes, value) ?? value;
    return this.#port.text({ value, name, source: place.source, provider: place.provider });
  }

  /** Returns the members in this format, each with its place in the source. */
  #members(value: JsonObject, place: Place): readonly SourcedMember[] {
    const own = Object.entries(value).map(([name, member]) => ({
      name: place.isOwn || (place.hasChecks === true && isCheckName(name)) ? name : toSnake(name),
      value: member,
      source: childPointer(place.source, name),
    }));
    if (place.isOwn) return own;
    const strategy = own.find(({ name }) => name === 'strategy');
    const raised = isJsonObject(strategy?.value) ? Object.entries(strategy.value) : [];
    const beside = raised.flatMap(([name, member]): readonly SourcedMember[] =>
      movedOutOfStrategy.has(toSnake(name)) && !own.some((other) => other.name === toSnake(name))
        ? [{ name: toSnake(name), value: member, source: childPointer(strategy?.source ?? place.source, name) }]
        : [],
    );
    const left = own.map((member) =>
      member === strategy
        ? {
            ...member,
            value: Object.fromEntries(raised.filter(([name]) => !beside.some((other) => other.name === toSnake(name)))),
          }
        : member,
    );
    const named = Object.fromEntries(own.map(({ name, value: member }) => [name, member]));
    const hooks = toHooks(named, place.source, this.#nameHook);
    const others = left.filter(({ name, value: member }) => !(hookNames.includes(name) && Array.isArray(member)));
    // Targets without a strategy are treated as those of a strategy that calls the first one.
    const isSingle =
      strategy === undefined && own.some(({ name, value: member }) => name === 'targets' && Array.isArray(member));
    const single = isSingle ? [{ name: 'strategy', value: { mode: 'single' }, source: place.source }] : [];
    return [...single, ...others, ...beside, ...hooks];
  }

  #object(value: JsonObject, place: Place): JsonObject {
    const members = this.#members(value, place);
    const named = members.find(({ name }) => name === 'provider')?.value;
    const provider = typeof named === 'string' ? named : undefined;
    const made = members.flatMap((member): readonly (readonly [string, Json])[] => {
      const { name, source, items, moved = [] } = member;
      if (!place.isOwn && this.#isLeftOut(member)) return [];
      const ours = place.isOwn ? name : (lookUp(renamedMembers, name) ?? name);
      const at = childPointer(place.made, ours);
      const isOwn = place.isOwn || (place.hasChecks === true ? isCheckName(name) : isOwnName(name));
      const inner = {
        source,
        made: at,
        items,
        provider,
        isOwn,
        hasChecks: name === 'input_guardrails' || name === 'output_guardrails',
      };
      const converted = this.value(place.isOwn ? member.value : this.#given(member), inner, toSnake(name));
      for (const [part, from] of moved) this.#port.mapSource(joinPointers(at, part), from);
      return [[ours, converted]];
    });
    const result = Object.fromEntries(made);
    if (Object.keys(result).length < made.length) this.#loseTwice(made, place.source);
    return place.isOwn ? result : this.#port.finish(result, members, provider);
  }

  /** Reports a member that is present under two of its names, because it is unclear which value is meant. */
  #loseTwice(made: readonly (readonly [name: string, value: Json])[], source: JsonPointer): void {
    const seen = new Set<string>();
    const [twice = ''] = made.find(([name]) => seen.size === seen.add(name).size) ?? [];
    this.#port.reportLoss(source, `"${twice}" is there twice, under different names.`, 'Write it once.');
  }

  /** Converts the value of a member that has another form here. */
  #given({ name, value, source }: SourcedMember): Json {
    if (name === 'cb_config') return toBreaker(value, source, this.#port);
    return name === 'cache' && typeof value === 'string' ? { mode: value } : value;
  }

  #isLeftOut(member: SourcedMember): boolean {
    const { name, value, source } = member;
    if (name !== 'passthrough' || typeof value !== 'boolean') return this.#port.isOmitted(member);
    if (value)
      this.#port.reportLoss(
        source,
        'A target that takes the provider of the request has no name of its own here.',
        'Name a provider, or leave the target without one.',
      );
    return true;
  }
}

/** Converts a Portkey config to this format, which has other names for vendor-specific members. */
export const convertPortkeyConfig = (value: Json, source: JsonPointer, port: ConversionPort): Json =>
  new Converter(port, value).value(value, { source, made: rootPointer, isOwn: false });
