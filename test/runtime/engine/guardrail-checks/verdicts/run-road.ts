import { builtinDialects } from '../../../../../plugins/dialects/builtin-dialects.ts';
import type {
  ConversationCodec,
  Dialect,
  EncodeAnswer,
  EncodeTarget,
} from '../../../../../plugins/sdk/dialect/dialect.ts';
import type { Answer } from '../../../../../schema/conversation/answer.ts';
import type { Conversation } from '../../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { runConfig, toJson } from '../../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../../support/in-process/stub-upstreams.ts';
import { speaking } from '../../../../support/plugins/speaking.ts';
import { plain } from './said-words.ts';

export interface Spoken {
  readonly dialect: Dialect;
  readonly codec: ConversationCodec;
}

/** The dialects that support conversations. */
export const spoken: readonly Spoken[] = builtinDialects.flatMap((dialect) =>
  dialect.conversation === undefined ? [] : [{ dialect, codec: dialect.conversation }],
);

const target: EncodeTarget = { provider: 'speaker', strict: false, drop: new Set(), scope: 'here' };
const encode: EncodeAnswer = { provider: 'speaker', strict: false, streamUsage: true, created: 1 };

/** Build a request in a client's format, and an answer in a provider's. */
export const bodyIn = ({ codec }: Spoken, conversation: Conversation): JsonObject =>
  JSON.parse(JSON.stringify(codec.encodeRequest(conversation, target).body));

export const answerIn = ({ codec }: Spoken, answer: Answer): JsonObject =>
  JSON.parse(JSON.stringify(codec.encodeAnswer(answer, encode)));

/** Whether a format has a place for the words: plain, escaped in arguments, or in a file. */
export const says = (wire: JsonObject): boolean => /bomb|u0062omb|YSBib21i/.test(JSON.stringify(wire));

/** The client's dialect and the provider's. */
export interface Road {
  readonly client: Spoken;
  readonly provider: Spoken;
}

export interface Case {
  readonly body: JsonObject;
  /** In the provider's format; a plain answer if absent. */
  readonly answer?: JsonObject;
  readonly on: 'input' | 'output';
}

export interface Outcome {
  readonly status: number;
  readonly json: unknown;
  readonly sent: number;
}

/** Runs a request of one dialect on a target of another, with a check that denies a word. */
export const run = async ({ client, provider }: Road, { body, answer, on }: Case): Promise<Outcome> => {
  const check = { 'default.contains': { words: ['bomb'], operator: 'none' }, deny: true };
  const world = runConfig(
    { provider: 'speaker', strict_llmv_compliance: true, [`${on}_guardrails`]: [check] },
    {
      upstream: () => stubAnswer(answer ?? answerIn(provider, plain)),
      plugins: [speaking(provider.dialect)],
    },
  );
  const route = { operation: 'converse', dialect: client.dialect.id, model: 'm', stream: false } as const;
  const response = await world.handle(sampleExchange(body, { route }));
  return { status: response.status, json: toJson(response), sent: world.upstreams.requests.length };
};
