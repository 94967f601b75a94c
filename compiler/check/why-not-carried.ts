import type { ConversationCodec, Dialect, EncodedRequest, Loss } from '../../plugins/sdk/dialect/dialect.ts';
import { readDrop } from '../../plugins/sdk/provider/read-drop.ts';
import type { Conversation } from '../../schema/conversation/conversation.ts';
import { fromJson } from '../../schema/json/from-json.ts';
import { isSameJson } from '../../schema/json/is-same-json.ts';
import type { Json, JsonObject } from '../../schema/json/json.ts';
import { carriedParts } from '../../schema/model-facts/carried-parts.ts';
import type { ConversationParameter } from '../capability-gaps/conversation-parameters.ts';
import type { CalledModel } from './providers/called-provider.ts';

/** A parameter that a target sets. */
export interface SentParameter {
  readonly name: string;
  readonly value: Json;
  /** The conversation parameter that it stands for; absent if it stands for none. */
  readonly parameter: ConversationParameter | undefined;
}

/**
 * Why a parameter is not carried: the provider does not accept it or declares its loss, or its dialect cannot express it, or only
 * with another value.
 */
export type NotCarried =
  | { readonly kind: 'changed'; readonly why: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'declared'; readonly why: string }
  | { readonly kind: 'lost'; readonly dialect: string; readonly why: string };

/** A dialect, with the model whose parameters are looked up in it. */
interface AskedDialect extends CalledModel {
  readonly dialect: Dialect;
  readonly codec: ConversationCodec;
  /** The parameters that the provider does not accept. */
  readonly drop: readonly string[];
  /** A request that sets nothing. */
  readonly plain: Conversation;
}

const named = ({ model }: CalledModel): { readonly model?: string } => (model === undefined ? {} : { model });

/** A request that sets nothing but has a tool, because without one there is no choice of tools. */
const plainFor = (called: CalledModel): Conversation => ({ ...carriedParts.tools.sample, ...named(called) });

/** Returns a body as JSON has it, without undefined members. */
const asJson = (body: JsonObject): JsonObject => fromJson(JSON.stringify(body));

/**
 * Whether two texts that were written from values are the same JSON. If their lengths differ they are not, whatever the order of
 * members.
 */
const isSameText = (a: string, b: string): boolean =>
  a === b || (a.length === b.length && isSameJson(fromJson(a), fromJson(b)));

const encode = (
  { codec, provider }: AskedDialect,
  conversation: Conversation,
  drop: readonly string[],
): EncodedRequest =>
  codec.encodeRequest(conversation, { provider: provider.id, strict: true, drop: new Set(drop), scope: '' });

/** Returns the body of a translated conversation. */
const translated = (asked: AskedDialect, conversation: Conversation, drop: readonly string[]): JsonObject =>
  asJson(encode(asked, conversation, drop).body);

/** Returns why the dialect writes another value than the one that is set; undefined if it writes that value. */
const whyChanged = (
  { codec }: AskedDialect,
  member: string,
  { lost }: Pick<EncodedRequest, 'lost'>,
): NotCarried | undefined => {
  const loss = lost.includes(member) ? findLoss(codec, member) : undefined;
  return loss === undefined ? undefined : { kind: 'changed', why: loss.why };
};

/** Merges parameters of a config into the body of a request in the dialect itself. */
const mergeParams = (asked: AskedDialect, body: JsonObject, params: JsonObject): JsonObject => {
  const { dialect, provider, settings } = asked;
  const all = { ...named(asked), ...params };
  const placed = dialect.place === undefined ? { ...body, ...all } : dialect.place(all, body);
  const isAdapted = provider.adaptsOwn?.includes(dialect.id) === true;
  return asJson(isAdapted && provider.adapt !== undefined ? provider.adapt(placed, dialect.id, settings) : placed);
};

/** Whether everything that the parameter changes in a body are members that the provider does not accept. */
const isRefused = ({ drop }: AskedDialect, before: JsonObject, after: JsonObject): boolean => {
  const changed = Object.keys({ ...before, ...after }).filter((name) => !isSameJson(before[name], after[name]));
  return changed.length > 0 && changed.every((name) => drop.includes(name));
};

/**
 * Returns what the dialect understands of a body. Of the fields that only one dialect has, it includes only those of the member.
 */
const decodeMember = (asked: AskedDialect, body: JsonObject, member: string): object => {
  const { extensions, ...read } = asked.codec.decodeRequest(body, { scope: '', stream: false, ...named(asked) });
  return { ...read, extensions: Object.entries(extensions).filter(([id]) => member.startsWith(`extensions.${id}.`)) };
};

/** Returns the loss that covers a member: its own, or that of what it is part of. */
const findLoss = ({ losses }: ConversationCodec, member: string): Loss | undefined =>
  losses
    .filter((loss) => `${member}.`.startsWith(`${loss.member}.`))
    .toSorted((a, b) => b.member.length - a.member.length)[0];

type Answer = (sent: SentParameter) => NotCarried | undefined;

/** Creates the function that answers for parameters of conversations whether one is written, changed or lost. */
const createAnswer = (asked: AskedDialect): Answer => {
  const { codec, dialect, drop, plain, provider } = asked;
  const isLaidAsItIs = dialect.place === undefined && provider.adaptsOwn?.includes(dialect.id) !== true;
  // These are the same for all parameters, and are written when the first one is looked up.
  let unset: string | undefined;
  let own: { readonly body: JsonObject; readonly before: JsonObject } | undefined;
  const ask = (wanted: Partial<Conversation>, without: readonly string[]): EncodedRequest =>
    encode(asked, { ...plain, ...wanted }, without);
  const differs = ({ body }: EncodedRequest): boolean => {
    unset ??= JSON.stringify(ask({}, drop).body);
    return !isSameText(unset, JSON.stringify(body));
  };
  /**
   * Whether a parameter is written. For a number, a second value is tried too, because the first may be what the dialect writes
   * anyway.
   */
  const isWritten = (parameter: ConversationParameter, value: Json, sent: EncodedRequest): boolean => {
    if (differs(sent)) return true;
    const other = typeof value === 'number' ? parameter.of(value + 1) : undefined;
    return other !== undefined && differs(ask(other, drop));
  };
  const ownForm = () => {
    if (own !== undefined) return own;
    const body = translated(asked, plain, []);
    own = { body, before: mergeParams(asked, body, {}) };
    return own;
  };
  return ({ name, value, parameter }) => {
    const wanted = parameter?.of(value);
    if (parameter === undefined ? drop.length === 0 : wanted === undefined) return undefined;
    if (parameter !== undefined && wanted !== undefined) {
      const sent = ask(wanted, drop);
      if (isWritten(parameter, value, sent))
        return whyChanged(asked, parameter.member, drop.length === 0 ? sent : ask(wanted, []));
    }
    // Most parameters that are not of conversations are not among those that the provider rejects.
    if (parameter === undefined && isLaidAsItIs && !drop.includes(name)) return undefined;
    const { body, before } = ownForm();
    const after = mergeParams(asked, body, { [name]: value });
    if (isRefused(asked, before, after)) return { kind: 'refused' };
    if (parameter === undefined) return undefined;
    const { member } = parameter;
    const loss = findLoss(codec, member);
    const isRead = !isSameJson(decodeMember(asked, before, member), decodeMember(asked, after, member));
    return loss === undefined || isRead ? undefined : { kind: 'lost', dialect: dialect.id, why: loss.why };
  };
};

/** If a codec throws, the parameter counts as possibly carried. */
const whenNotThrowing =
  (answer: Answer): Answer =>
  (sent) => {
    try {
      return answer(sent);
    } catch {
      return undefined;
    }
  };

/**
 * Returns why no dialect of a model's provider carries a parameter, in the order of the dialects; undefined if one of them may
 * carry it.
 */
export type WhyNotCarried = (sent: SentParameter) => readonly NotCarried[] | undefined;

/**
 * Checks for each conversation dialect of a provider why it does not carry a parameter, whichever dialect the client speaks. The
 * codec itself is tested with the value: the parameter is not carried if the codec writes no request differently because of it,
 * and understands nothing of it in a request of its own dialect.
 */
export const createCarriage = (called: CalledModel, dialects: readonly Dialect[]): WhyNotCarried => {
  const drop = readDrop(called.provider, called.settings);
  const answers = dialects.flatMap((dialect) => {
    const codec = dialect.conversation;
    if (codec === undefined) return [];
    return [whenNotThrowing(createAnswer({ ...called, dialect, codec, drop, plain: plainFor(called) }))];
  });
  return (sent) => {
    const whys: NotCarried[] = [];
    for (const answer of answers) {
      const why = answer(sent);
      if (why === undefined) return undefined;
      whys.push(why);
    }
    return whys;
  };
};
