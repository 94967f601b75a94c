import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';
import type { Check, CheckInput, CheckServices, Verdict } from '../../../sdk/guardrail/guardrail.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { askPartner } from '../client/ask-partner.ts';
import { urlBelow } from '../client/base-url.ts';
import { noText } from '../findings/no-text.ts';
import { replacedMessages, type SentMessage, sentMessages } from '../findings/replaced-messages.ts';

/** The parameters of `crowdstrike-aidr.guardChatCompletions`. */
export interface GuardChatCompletionsParameters {
  readonly credentials: { readonly apiKey: string; readonly baseUrl: string };
  readonly baseUrl?: string;
}

const vendor = 'CrowdStrike AIDR';

const detectedIn = (result: AnswerReader): readonly string[] =>
  Object.entries(result.object('detectors').json)
    .flatMap(([name, found]) => (isJsonObject(found) && found.detected === true ? [name] : []))
    .sort();

const toVerdict = (result: AnswerReader, sent: readonly SentMessage[]): Verdict => {
  const isBlocked = result.flag('blocked');
  const detected = detectedIn(result);
  const isReplaced = !isBlocked && result.flag('transformed');
  const replace = isReplaced
    ? replacedMessages(vendor, sent, result.object('guard_output').list('messages', sent.length))
    : [];
  const what = replace.length > 0 ? 'changes' : isBlocked ? 'blocks' : 'does not block';
  const found = detected.length === 0 ? '' : `, and found ${detected.join(', ')}`;
  const data = { explanation: `The policy of ${vendor} ${what} the text${found}.`, detected };
  return { pass: !isBlocked, data, ...(replace.length > 0 && { replace }) };
};

const toBody = ({ phase, target }: CheckInput, sent: readonly SentMessage[]): JsonObject => ({
  guard_input: {
    messages: sent.map(({ text }) => ({ role: phase === 'input' ? 'user' : 'assistant', content: text })),
  },
  event_type: phase,
  app_id: 'gatewright',
  llm_provider: target.provider,
  ...(target.model !== undefined && { model: target.model }),
});

/** The policy of the collector must not block the text. Text that it changes is replaced, and passes. */
export const guardChatCompletions = (
  { credentials, baseUrl = credentials.baseUrl }: GuardChatCompletionsParameters,
  { http }: CheckServices,
): Check => {
  const url = urlBelow(baseUrl, '/v1/guard_chat_completions');
  const headers = { authorization: `Bearer ${credentials.apiKey}` };
  return async (input) => {
    const sent = sentMessages(input.spans);
    if (sent.length === 0) return noText;
    const { cancellation } = input;
    const answer = await askPartner(http, { vendor, url, headers, body: toBody(input, sent), cancellation });
    if (answer.text('status') !== 'Success')
      throw new Error(`${vendor} answered with status 200, but not with "Success". Check the log of the collector.`);
    return toVerdict(answer.object('result'), sent);
  };
};
