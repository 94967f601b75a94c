import type { Check, CheckServices, Verdict } from '../../../sdk/guardrail/guardrail.ts';
import type { AnswerReader } from '../client/answer-reader.ts';
import { askPartner } from '../client/ask-partner.ts';
import { urlBelow } from '../client/base-url.ts';
import { foundSentence } from '../findings/found-verdict.ts';
import { noText } from '../findings/no-text.ts';
import { replacedMessages, type SentMessage, sentMessages } from '../findings/replaced-messages.ts';

/** The parameters of `cato.analyze`. */
export interface AnalyzeParameters {
  readonly userEmail?: string;
  readonly keyAlias?: string;
  readonly credentials: { readonly apiKey: string };
  readonly baseUrl?: string;
}

const vendor = 'Cato Networks';

/** The verbs for what the policy does, by the required action. */
const sentences = {
  none: 'requires no action for',
  monitor_action: 'monitors, and allows,',
  anonymize_action: 'changes',
  block_action: 'blocks',
} as const;

const isAction = (name: string): name is keyof typeof sentences => Object.hasOwn(sentences, name);

/** The member is always present. It is null if no action is required. */
const actionIn = (answer: AnswerReader): keyof typeof sentences => {
  if (answer.json.required_action === null) return 'none';
  const named = answer.object('required_action').text('action_type');
  if (named === 'none' || !isAction(named))
    throw new Error(`${vendor} answered with status 200, but requires an undocumented action.`);
  return named;
};

/** The anonymized messages are next to the action; in older answers they are inside it. */
const redactedIn = (answer: AnswerReader, count: number): readonly AnswerReader[] => {
  const chat = answer.has('redacted_chat')
    ? answer.object('redacted_chat')
    : answer.object('required_action').object('chat_redaction_result');
  return chat.list('all_redacted_messages', count);
};

const toVerdict = (answer: AnswerReader, sent: readonly SentMessage[]): Verdict => {
  const action = actionIn(answer);
  const detected = Object.keys(answer.object('analysis_result').object('policy_drill_down').json).sort();
  const found = foundSentence(detected);
  const data = { explanation: `The policy of ${vendor} ${sentences[action]} the text.${found}`, detected };
  if (action !== 'anonymize_action') return { pass: action !== 'block_action', data };
  return { pass: true, data, replace: replacedMessages(vendor, sent, redactedIn(answer, sent.length)) };
};

/** The policy must not block the text. Text that it anonymizes is replaced, and passes. */
export const analyze = (parameters: AnalyzeParameters, { http }: CheckServices): Check => {
  const { userEmail, keyAlias, credentials, baseUrl = 'https://api.aisec.catonetworks.com' } = parameters;
  const url = urlBelow(baseUrl, '/fw/v1/analyze');
  const headers = {
    authorization: `Bearer ${credentials.apiKey}`,
    ...(userEmail !== undefined && { 'x-cato-user-email': userEmail }),
    ...(keyAlias !== undefined && { 'x-cato-gateway-key-alias': keyAlias }),
  };
  return async ({ phase, spans, cancellation }) => {
    const sent = sentMessages(spans);
    if (sent.length === 0) return noText;
    const role = phase === 'input' ? 'user' : 'assistant';
    const body = { messages: sent.map(({ text }) => ({ role, content: text })) };
    return toVerdict(await askPartner(http, { vendor, url, headers, body, cancellation }), sent);
  };
};
