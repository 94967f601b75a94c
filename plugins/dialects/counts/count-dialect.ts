import type { Json, JsonObject } from '../../../schema/json/json.ts';
import type {
  ConversationCodec,
  CountCodec,
  DecodeRequest,
  Dialect,
  DialectDeclaration,
} from '../../sdk/dialect/dialect.ts';
import type { DialectMembers } from '../../sdk/dialect/members.ts';
import { withParams } from '../../sdk/dialect/with-params.ts';
import { bodyTexts } from '../shared/checked-texts/request-texts.ts';
import { type NestedRequest, spansUnder, textsAround } from './nested-texts.ts';
import { toCounted } from './to-counted.ts';

/** A dialect with conversations for whose requests tokens are counted. */
export type CountedDialect = Dialect & Required<Pick<Dialect, 'conversation' | 'earlierTexts' | 'members' | 'texts'>>;

/** How a format for counting differs from the dialect whose requests it counts. */
export interface CountForm {
  readonly declaration: DialectDeclaration;
  readonly counted: CountedDialect;
  /** Returns the request inside a body, or undefined if it contains no readable conversation. Absent: the body is the request. */
  findRequest?(body: JsonObject): NestedRequest | undefined;
  /** Reads a body. Throws the `GatewayError` `invalid-request`. Absent: bodies are read as the dialect reads its requests. */
  decode?(body: JsonObject, options: DecodeRequest): ReturnType<ConversationCodec['decodeRequest']>;
  /** The members of a request that the format accepts; all of them if absent. */
  readonly acceptedMembers?: ReadonlySet<string>;
  /** Writes the body around a request. Absent: the body is the request. */
  write?(request: JsonObject, model: string | undefined): JsonObject;
  readonly namesModelAgain?: CountCodec['namesModelAgain'];
  readonly members: DialectMembers;
  /** The member of an answer that contains the count. */
  readonly tokens: string;
  /** The other members of an answer. */
  readonly otherMembers?: JsonObject;
}

const isCount = (value: Json | undefined): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const itself = (body: JsonObject): NestedRequest => ({ body, path: [] });

const toCodec = ({
  counted,
  decode,
  acceptedMembers,
  write,
  namesModelAgain,
  tokens,
  otherMembers,
}: CountForm): CountCodec => {
  const { id, conversation: codec } = counted;
  const read = decode ?? codec.decodeRequest;
  return {
    ...(namesModelAgain === undefined ? {} : { namesModelAgain }),
    decodeRequest: (wire, options) => toCounted(read(wire, options)),
    encodeRequest(conversation, target) {
      const { answers: _unused, body, ...encoded } = codec.encodeRequest(toCounted(conversation), target);
      const own = conversation.extensions[id] ?? {};
      const isTaken = (name: string): boolean =>
        acceptedMembers === undefined || acceptedMembers.has(name) || Object.hasOwn(own, name);
      const request = Object.fromEntries(Object.entries(body).filter(([name]) => isTaken(name)));
      return { ...encoded, body: write === undefined ? request : write(request, conversation.model) };
    },
    decodeAnswer(wire) {
      const count = wire[tokens];
      if (!isCount(count)) throw new Error(`its member "${tokens}" is not a number of tokens.`);
      return count;
    },
    encodeAnswer: (count) => ({ ...otherMembers, [tokens]: count }),
  };
};

/** Sets parameters of configs on a body, if the format accepts them. Parameters for the answer do not affect a count. */
const toPlace =
  ({ counted, acceptedMembers, findRequest }: CountForm): NonNullable<Dialect['place']> =>
  (params, body) => {
    // Otherwise the request is inside the body, or these parameters have other places in it.
    if (acceptedMembers === undefined || findRequest !== undefined) return body;
    const laid = withParams(counted, params, body);
    return Object.fromEntries(
      Object.entries(laid).filter(([name]) => acceptedMembers.has(name) || Object.hasOwn(body, name)),
    );
  };

const toTexts = (form: CountForm): Required<Pick<Dialect, 'earlierTexts' | 'texts'>> => {
  const { counted, members, findRequest = itself } = form;
  return {
    texts(body, phase, how) {
      if (phase === 'output') return bodyTexts(members.answer, body, how);
      const request = findRequest(body);
      const inside = request && counted.texts(request.body, phase, how);
      const around = request && textsAround(body, request.path, how);
      if (request === undefined || inside === undefined || around === undefined) return undefined;
      return [...spansUnder(request.path, inside), ...around];
    },
    earlierTexts(body, how) {
      const request = findRequest(body);
      return request === undefined ? [] : spansUnder(request.path, counted.earlierTexts(request.body, how));
    },
  };
};

/** Builds the dialect of a format for counting. It never streams, so every frame is content. */
export const countDialect = (form: CountForm): Dialect => {
  const { declaration, counted, members } = form;
  const { adopt, gatewayMarks, itemNaming, retryAfter } = counted;
  return {
    ...declaration,
    place: toPlace(form),
    classify: () => 'content',
    ...(adopt === undefined ? {} : { adopt }),
    ...(gatewayMarks === undefined ? {} : { gatewayMarks }),
    ...(itemNaming === undefined ? {} : { itemNaming }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    encodeStreamError: counted.encodeStreamError,
    decodeError: counted.decodeError,
    encodeWireError: counted.encodeWireError,
    decodeStreamError: counted.decodeStreamError,
    ...toTexts(form),
    members,
    count: toCodec(form),
  };
};
