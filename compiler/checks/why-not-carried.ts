import { isDeepStrictEqual } from 'node:util';
import type { ConversationCodec, Dialect, Loss } from '../../plugins/sdk/dialect.ts';
import type { Provider } from '../../plugins/sdk/provider.ts';
import type { Conversation } from '../../schema/conversation.ts';
import type { Json, JsonObject } from '../../schema/json.ts';
import type { ConversationParameter } from './conversation-parameters.ts';

/** A parameter of a target, and whom it is sent to. */
export interface SentParameter {
  readonly name: string;
  readonly value: Json;
  readonly provider: Provider;
  /** Absent if the request names it. */
  readonly model: string | undefined;
}

/** Why a dialect does not carry a parameter: the provider refuses it, or the dialect cannot express it. */
export type NotCarried =
  | { readonly kind: 'refused' }
  | { readonly kind: 'lost'; readonly dialect: string; readonly why: string };

/** A request with nothing but a question and a tool, which the choice of tools requires. */
const question = (model: string | undefined): Conversation => ({
  ...(model === undefined ? {} : { model }),
  system: [],
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hello.' }] }],
  tools: [{ kind: 'function', name: 'look', parameters: { type: 'object', properties: {} } }],
  sampling: {},
  stream: false,
  extensions: {},
});

/** The loss that covers a member: its own, or that of what it is part of. */
const lossOf = (losses: readonly Loss[], member: string): Loss | undefined =>
  losses
    .filter((loss) => `${member}.`.startsWith(`${loss.member}.`))
    .toSorted((a, b) => b.member.length - a.member.length)[0];

const asJson = (body: JsonObject): JsonObject => JSON.parse(JSON.stringify(body));

/** The body of a conversation as the provider is sent it when it was translated. */
const written = (codec: ConversationCodec, conversation: Conversation, { provider }: SentParameter): JsonObject => {
  const drop = new Set(provider.drop);
  const { body } = codec.encodeRequest(conversation, { provider: provider.id, strict: true, drop, scope: '' });
  return asJson(body);
};

/** The body of a client of the same dialect, on which the parameters of the config were laid. */
const laid = ({ id, place }: Dialect, params: JsonObject, { body, provider }: Base): JsonObject => {
  const placed = place === undefined ? { ...body, ...params } : place(params, body);
  const isAdapted = provider.adaptsOwn?.includes(id) === true;
  return asJson(isAdapted && provider.adapt !== undefined ? provider.adapt(placed, id) : placed);
};

interface Base {
  readonly body: JsonObject;
  readonly provider: Provider;
}

/** What a dialect reads of a body: of the fields that only one dialect has, those of the member that is asked about. */
const understood = (codec: ConversationCodec, body: JsonObject, member: string, model: string | undefined): object => {
  const read = codec.decodeRequest(body, { scope: '', stream: false, ...(model === undefined ? {} : { model }) });
  const own = Object.entries(read.extensions).filter(([dialect]) => member.startsWith(`extensions.${dialect}.`));
  return { ...read, extensions: Object.fromEntries(own) };
};

const changedNames = (before: JsonObject, after: JsonObject): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  );

const ask = (
  dialect: Dialect,
  codec: ConversationCodec,
  { sent, parameter }: { readonly sent: SentParameter; readonly parameter: ConversationParameter | undefined },
): NotCarried | undefined => {
  const { name, value, provider, model } = sent;
  const plain = question(model);
  const base: Base = { body: written(codec, plain, { ...sent, provider: { ...provider, drop: [] } }), provider };
  const named = model === undefined ? {} : { model };
  const [before, after] = [laid(dialect, named, base), laid(dialect, { ...named, [name]: value }, base)];
  const changed = changedNames(before, after);
  const isRefused = changed.length > 0 && changed.every((each) => provider.drop?.includes(each) === true);
  if (parameter === undefined) return isRefused ? { kind: 'refused' } : undefined;
  const wanted = parameter.of(value);
  if (wanted === undefined) return undefined;
  if (!isDeepStrictEqual(written(codec, plain, sent), written(codec, { ...plain, ...wanted }, sent))) return undefined;
  if (isRefused) return { kind: 'refused' };
  const { member } = parameter;
  const [unsaid, said] = [before, after].map((body) => understood(codec, body, member, model));
  const loss = lossOf(codec.losses, member);
  if (loss === undefined || !isDeepStrictEqual(unsaid, said)) return undefined;
  return { kind: 'lost', dialect: dialect.id, why: loss.why };
};

/**
 * Why a dialect of the provider does not carry a parameter, whether the client speaks the dialect or another one;
 * undefined if it may. The dialect itself is asked: it writes no request differently because of the parameter, and reads
 * nothing of it in a request of its own. A dialect that cannot be asked may carry it.
 */
export const whyNotCarried = (
  dialect: Dialect,
  sent: SentParameter,
  parameter: ConversationParameter | undefined,
): NotCarried | undefined => {
  const codec = dialect.conversation;
  if (codec === undefined) return undefined;
  try {
    return ask(dialect, codec, { sent, parameter });
  } catch {
    return undefined;
  }
};
