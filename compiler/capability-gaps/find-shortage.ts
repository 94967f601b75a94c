import type { Dialect, Loss } from '../../plugins/sdk/dialect/dialect.ts';
import { conversationRecoding } from '../../plugins/sdk/provider/carried-part.ts';
import { adaptsOwn, ownForm } from '../../plugins/sdk/provider/own-form.ts';
import { resolveServed, type Served } from '../../plugins/sdk/provider/resolve-served.ts';
import type { Conversation } from '../../schema/conversation/conversation.ts';
import { fromJson } from '../../schema/json/from-json.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import { plainConversation } from '../../schema/model-facts/carried-parts.ts';
import type { ComparedTarget } from './compared-target.ts';
import type { Feature } from './features.ts';

/** Why a target does not serve a feature. */
export type Shortage =
  /** Its model is known not to support it. */
  | { readonly kind: 'model'; readonly model: string }
  /** The format of its provider cannot express it, or the provider does not accept it: these members are lost. */
  | { readonly kind: 'format'; readonly dialect: string; readonly lost: readonly string[]; readonly why?: string };

/** Returns the members of a conversation that are lost at a target; undefined if that cannot be determined. */
type Write = (conversation: Conversation) => readonly string[] | undefined;

const named = (conversation: Conversation, model: string | undefined): Conversation =>
  model === undefined ? conversation : { ...conversation, model };

/** Returns a body as JSON has it, without undefined members. */
const asJson = (body: JsonObject): JsonObject => fromJson(JSON.stringify(body));

/** Writes requests in the provider's own dialect as the provider accepts them; undefined if it accepts them unchanged. */
const ownLosses = (dialect: Dialect, { provider, settings, model }: ComparedTarget): Write | undefined => {
  const codec = dialect.conversation;
  if (codec === undefined || !adaptsOwn(provider, dialect)) return undefined;
  return (conversation) => {
    const target = { provider: provider.id, strict: true, drop: new Set<string>(), scope: '' };
    const { body } = codec.encodeRequest(named(conversation, model), target);
    return ownForm(asJson(body), { provider, settings, dialect }).lost;
  };
};

/** If a codec throws, it counts as losing nothing; a real request reports the error. */
const cautious =
  (write: Write): Write =>
  (conversation) => {
    try {
      return write(conversation);
    } catch {
      return undefined;
    }
  };

/** Returns the ways in which a conversation is written for a target; empty if it is sent unchanged. */
const writesOf = (served: Served, target: ComparedTarget): readonly Write[] => {
  const recoding = conversationRecoding(served, target);
  const own = served.kind === 'same' ? ownLosses(served.dialect, target) : undefined;
  const recoded: Write | undefined =
    recoding && ((conversation) => recoding.write(named(conversation, target.model), { strict: true, scope: '' }).lost);
  return [recoded, own].flatMap((write) => (write === undefined ? [] : [cautious(write)]));
};

const withoutIndexes = (member: string): string => member.replaceAll(/\[\d+\]/g, '');

/** Returns the declared loss that covers a member: its own, or that of what it is part of. */
const findLoss = (losses: readonly Loss[], member: string): Loss | undefined => {
  const plain = withoutIndexes(member);
  return losses
    .filter((loss) => `${plain}.`.startsWith(`${loss.member}.`))
    .toSorted((a, b) => b.member.length - a.member.length)[0];
};

const upstreamOf = (served: Served): Dialect | undefined => {
  if (served.kind === 'same') return served.dialect;
  return served.kind === 'translate' ? served.upstream : undefined;
};

/** How conversations are sent to a target. */
export interface Way {
  /** Returns why the target does not serve a feature; undefined if it does, or if nothing is known. */
  findShortage(feature: Feature): Shortage | undefined;
}

/** Returns how a client's conversations are sent to a target. */
export type FindRoute = (target: ComparedTarget, client: Dialect) => Way | 'not-served';

/** Returns the reason for a loss, as the provider or its format declares it. */
const whyLost = (dialect: Dialect, { provider }: ComparedTarget, member: string): string | undefined =>
  (findLoss(provider.losses ?? [], member) ?? findLoss(dialect.conversation?.losses ?? [], member))?.why;

const ofModel = ({ capability }: Feature, { facts, model }: ComparedTarget): Shortage | undefined =>
  facts !== undefined && capability !== undefined && facts.lacks.includes(capability)
    ? { kind: 'model', model: model ?? facts.model }
    : undefined;

/** Creates a way. Each feature is written only once. */
const knownWay = (served: Served, dialect: Dialect, target: ComparedTarget): Way => {
  const writes = writesOf(served, target);
  const lost = (conversation: Conversation): readonly string[] => [
    ...new Set(writes.flatMap((write) => write(conversation) ?? [])),
  ];
  const always = new Set(lost(plainConversation));
  const known = new Map<Feature, Shortage | undefined>();
  const ofFormat = ({ sample, lost: own }: Feature): Shortage | undefined => {
    if (sample === undefined || writes.length === 0) return undefined;
    const found = lost(sample).filter((member) => (own === undefined ? !always.has(member) : own.includes(member)));
    const [first] = found;
    if (first === undefined) return undefined;
    const why = whyLost(dialect, target, first);
    return { kind: 'format', dialect: dialect.id, lost: found, ...(why !== undefined && { why }) };
  };
  return {
    findShortage(feature) {
      if (!known.has(feature)) known.set(feature, ofModel(feature, target) ?? ofFormat(feature));
      return known.get(feature);
    },
  };
};

/** Creates the ways of a plan. Each is found once for all targets that are alike and all clients that are translated alike. */
export const createRoutes = (findDialect: (id: string) => Dialect | undefined): FindRoute => {
  const names = new WeakMap<ComparedTarget, string>();
  const ways = new Map<string, Way>();
  const nameOf = (target: ComparedTarget): string => {
    const { provider, settings, model, spoken, facts } = target;
    const known = names.get(target);
    if (known !== undefined) return known;
    const ids = spoken.map(({ id }) => id);
    const name = JSON.stringify([provider.id, settings, model, ids, facts?.model, facts?.lacks]);
    names.set(target, name);
    return name;
  };
  const findWay: FindRoute = (target, client) => {
    const { provider, spoken } = target;
    const ids = spoken.map(({ id }) => id);
    // Only the model of a request determines how it is sent there.
    if (ids.length === 0) return { findShortage: (feature) => ofModel(feature, target) };
    const served = resolveServed(client.id, { provider, spoken: ids, findDialect });
    if (served.kind === 'none') return 'not-served';
    const dialect = upstreamOf(served);
    if (dialect === undefined) return { findShortage: () => undefined };
    const name = `${served.kind} ${dialect.id} ${nameOf(target)}`;
    const way = ways.get(name) ?? knownWay(served, dialect, target);
    ways.set(name, way);
    return way;
  };
  /** By target, because each target is queried for every feature. */
  const byTarget = new WeakMap<ComparedTarget, Map<Dialect, ReturnType<FindRoute>>>();
  return (target, client) => {
    const own = byTarget.get(target) ?? new Map<Dialect, ReturnType<FindRoute>>();
    byTarget.set(target, own);
    const way = own.get(client) ?? findWay(target, client);
    own.set(client, way);
    return way;
  };
};
