import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';
import type { Check, CheckInput, CheckServices, Replacement, Verdict } from '../../../sdk/guardrail/guardrail.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { askPartner } from '../client/ask-partner.ts';
import { urlBelow } from '../client/base-url.ts';
import { noText } from '../findings/no-text.ts';

/** The parameters of `crowdstrike-aidr.guardChatCompletions`. */
export interface GuardChatCompletionsParameters {
  readonly credentials: { readonly apiKey: string; readonly baseUrl: string };
  readonly baseUrl?: string;
}

const vendor = 'CrowdStrike AIDR';

/** A judged piece that is sent as one message. */
interface Sent {
  readonly span: number;
  readonly text: string;
}

/** The texts that the policy puts in place of the messages. Throws an `Error` unless it gives one for each. */
const replacements = (result: AnswerReader, sent: readonly Sent[]): readonly Replacement[] => {
  const messages = result.object('guard_output').list('messages', sent.length);
  const changed = sent.flatMap(({ span, text }, index) => {
    const written = messages[index]?.text('content') ?? text;
    return written === text ? [] : [{ span, from: 0, to: text.length, with: written }];
  });
  if (changed.length === 0)
    throw new Error(`${vendor} answered with status 200, and says that it changed something, but changed nothing.`);
  return changed;
};

const detectedIn = (result: AnswerReader): readonly string[] =>
  Object.entries(result.object('detectors').json)
    .flatMap(([name, found]) => (isJsonObject(found) && found.detected === true ? [name] : []))
    .sort();

const toVerdict = (result: AnswerReader, sent: readonly Sent[]): Verdict => {
  const isBlocked = result.flag('blocked');
  const detected = detectedIn(result);
  const replace = !isBlocked && result.flag('transformed') ? replacements(result, sent) : [];
  const what = replace.length > 0 ? 'changes' : isBlocked ? 'blocks' : 'does not block';
  const found = detected.length === 0 ? '' : `, and found ${detected.join(', ')}`;
  const data = { explanation: `The policy of ${vendor} ${what} the text${found}.`, detected };
  return { pass: !isBlocked, data, ...(replace.length > 0 && { replace }) };
};

const toBody = ({ phase, target }: CheckInput, sent: readonly Sent[]): JsonObject => ({
  guard_input: {
    messages: sent.map(({ text }) => ({ role: phase === 'input' ? 'user' : 'assistant', content: text })),
  },
  event_type: phase,
  app_id: 'gatewright',
  llm_provider: target.provider,
  ...(target.model !== undefined && { model: target.model }),
});

/** The policy of the collector may not block the text; what it changes is replaced, and passes. */
export const guardChatCompletions = (
  { credentials, baseUrl = credentials.baseUrl }: GuardChatCompletionsParameters,
  { http }: CheckServices,
): Check => {
  const url = urlBelow(baseUrl, '/v1/guard_chat_completions');
  const headers = { authorization: `Bearer ${credentials.apiKey}` };
  return async (input) => {
    const sent = input.spans.flatMap(({ text }, span) => (text.trim() === '' ? [] : [{ span, text }]));
    if (sent.length === 0) return noText;
    const { cancellation } = input;
    const answer = await askPartner(http, { vendor, url, headers, body: toBody(input, sent), cancellation });
    if (answer.text('status') !== 'Success')
      throw new Error(`${vendor} answered with status 200, but not with "Success". Look at the log of the collector.`);
    return toVerdict(answer.object('result'), sent);
  };
};
