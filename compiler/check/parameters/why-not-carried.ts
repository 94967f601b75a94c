import type { ConversationCodec, Dialect, Loss } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Provider } from '../../../plugins/sdk/provider/provider.ts';
import { readDrop } from '../../../plugins/sdk/provider/read-drop.ts';
import type { Conversation } from '../../../schema/conversation/conversation.ts';
import { fromJson } from '../../../schema/json/from-json.ts';
import { isSameJson } from '../../../schema/json/is-same-json.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import type { ConversationParameter } from '../../gaps/conversation-parameters.ts';

/** A parameter that a target sets, and what it calls. */
export interface SentParameter {
  readonly name: string;
  readonly value: Json;
  /** The parameter of conversations that it stands for; absent for a parameter that is not of conversations. */
  readonly parameter: ConversationParameter | undefined;
  readonly provider: Provider;
  readonly settings: JsonObject;
  /** Absent if the request names it. */
  readonly model: string | undefined;
}

/**
 * Why a parameter is not carried: the provider does not accept it or declares its loss, its dialect cannot express it, or
 * only with another value.
 */
export type NotCarried =
  | { readonly kind: 'changed'; readonly why: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'declared'; readonly why: string }
  | { readonly kind: 'lost'; readonly dialect: string; readonly why: string };

/** A dialect that is asked about a parameter. */
interface Asked extends SentParameter {
  readonly dialect: Dialect;
  readonly codec: ConversationCodec;
}

const named = ({ model }: SentParameter): { readonly model?: string } => (model === undefined ? {} : { model });

/** A request that asks for nothing, with a tool, without which there is no choice of tools. */
const plain = (asked: Asked): Conversation => ({
  ...named(asked),
  system: [],
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hello.' }] }],
  tools: [{ kind: 'function', name: 'look', parameters: { type: 'object', properties: {} } }],
  sampling: {},
  stream: false,
  extensions: {},
});

/** A body as JSON has it, without members that are undefined. */
const asJson = (body: JsonObject): JsonObject => fromJson(JSON.stringify(body));

const encode = ({ codec, provider }: Asked, conversation: Conversation, drop: readonly string[]) =>
  codec.encodeRequest(conversation, { provider: provider.id, strict: true, drop: new Set(drop), scope: '' });

/** The body of a conversation that was translated. */
const translated = (asked: Asked, conversation: Conversation, drop: readonly string[]): JsonObject =>
  asJson(encode(asked, conversation, drop).body);

/** Why the dialect writes another value than the one that is set; undefined where it writes that one. */
const whyChanged = (asked: Asked, wanted: Partial<Conversation> | undefined): NotCarried | undefined => {
  const { codec, parameter } = asked;
  const member = parameter?.member ?? '';
  if (wanted === undefined || !encode(asked, { ...plain(asked), ...wanted }, []).lost.includes(member))
    return undefined;
  const loss = findLoss(codec, member);
  return loss === undefined ? undefined : { kind: 'changed', why: loss.why };
};

/** The body of a request in the dialect itself, once parameters of a config are laid on it. */
const laid = (asked: Asked, params: JsonObject): JsonObject => {
  const { dialect, provider, settings } = asked;
  const body = translated(asked, plain(asked), []);
  const all = { ...named(asked), ...params };
  const placed = dialect.place === undefined ? { ...body, ...all } : dialect.place(all, body);
  const isAdapted = provider.adaptsOwn?.includes(dialect.id) === true;
  return asJson(isAdapted && provider.adapt !== undefined ? provider.adapt(placed, dialect.id, settings) : placed);
};

/** Whether all that the parameter changes in a body are members that the provider does not accept. */
const isRefused = ({ provider, settings }: Asked, before: JsonObject, after: JsonObject): boolean => {
  const drop = readDrop(provider, settings);
  const changed = Object.keys({ ...before, ...after }).filter((name) => !isSameJson(before[name], after[name]));
  return changed.length > 0 && changed.every((name) => drop.includes(name));
};

/** Reads what the dialect understands of a body: of fields that only one dialect has, only those of the member. */
const understood = (asked: Asked, body: JsonObject, member: string): object => {
  const { extensions, ...read } = asked.codec.decodeRequest(body, { scope: '', stream: false, ...named(asked) });
  return { ...read, extensions: Object.entries(extensions).filter(([id]) => member.startsWith(`extensions.${id}.`)) };
};

/** The loss that covers a member: its own, or that of what it is part of. */
const findLoss = ({ losses }: ConversationCodec, member: string): Loss | undefined =>
  losses
    .filter((loss) => `${member}.`.startsWith(`${loss.member}.`))
    .toSorted((a, b) => b.member.length - a.member.length)[0];

/** A value that is written differently, if the parameter is written at all: its own may be what the dialect writes anyway. */
const otherThan = (value: Json): Json => (typeof value === 'number' ? value + 1 : value);

const answer = (asked: Asked): NotCarried | undefined => {
  const { name, value, parameter, provider, settings, dialect, codec } = asked;
  const wanted = parameter?.of(value);
  if (parameter !== undefined && wanted === undefined) return undefined;
  const drop = readDrop(provider, settings);
  const plainForm = plain(asked);
  const unset = translated(asked, plainForm, drop);
  const isWritten = [value, otherThan(value)].some((each) => {
    const asks = parameter?.of(each);
    return asks !== undefined && !isSameJson(unset, translated(asked, { ...plainForm, ...asks }, drop));
  });
  if (isWritten) return whyChanged(asked, wanted);
  const [before, after] = [laid(asked, {}), laid(asked, { [name]: value })];
  if (isRefused(asked, before, after)) return { kind: 'refused' };
  if (parameter === undefined) return undefined;
  const { member } = parameter;
  const loss = findLoss(codec, member);
  const isRead = !isSameJson(understood(asked, before, member), understood(asked, after, member));
  return loss === undefined || isRead ? undefined : { kind: 'lost', dialect: dialect.id, why: loss.why };
};

/** Answers of a provider in a dialect that are remembered: a text that is edited asks again for each letter. */
const maxRemembered = 2000;

/** The answers by provider and dialect, each by what is sent; null where the parameter may be carried. */
const remembered = new WeakMap<Provider, WeakMap<Dialect, Map<string, NotCarried | null>>>();

const rememberedOf = (provider: Provider, dialect: Dialect): Map<string, NotCarried | null> => {
  const dialects = remembered.get(provider) ?? new WeakMap<Dialect, Map<string, NotCarried | null>>();
  const answers = dialects.get(dialect) ?? new Map<string, NotCarried | null>();
  if (answers.size >= maxRemembered) answers.clear();
  remembered.set(provider, dialects.set(dialect, answers));
  return answers;
};

const tryAnswer = (asked: Asked): NotCarried | null => {
  try {
    return answer(asked) ?? null;
  } catch {
    return null;
  }
};

/**
 * Why a dialect of the provider does not carry a parameter, whichever dialect the client speaks; undefined if it may. The
 * codec itself is asked, with the value: it writes no request differently because of the parameter, and understands
 * nothing of it in a request of its own. A codec that throws may carry it.
 */
export const whyNotCarried = (dialect: Dialect, sent: SentParameter): NotCarried | undefined => {
  const codec = dialect.conversation;
  if (codec === undefined) return undefined;
  const answers = rememberedOf(sent.provider, dialect);
  const key = JSON.stringify([sent.name, sent.value, sent.settings, sent.model]);
  const known = answers.get(key);
  const found = known === undefined ? tryAnswer({ ...sent, dialect, codec }) : known;
  answers.set(key, found);
  return found ?? undefined;
};
