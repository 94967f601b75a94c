import { describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../../plugins/dialects/builtin-dialects.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { declaredType } from '../../../support/declared/declared-type.ts';
import { membersOf } from '../../../support/declared/read-type.ts';
import { here } from '../support/codecs.ts';

interface DeclaredReasons {
  readonly dialect: string;
  readonly file: string;
  readonly type: string;
  /** The member with the reason. Absent if the type is that of the reason itself. */
  readonly member?: string;
  /** Returns an answer that ended for this reason. */
  readonly toAnswer: (reason: string) => JsonObject;
  /** Reasons that no translated answer has, or for which no other format has a word. */
  readonly others?: readonly string[];
}

const cohere = 'cohere-ai/dist/serialization/types/ChatFinishReason.d.ts';
const bedrock = '@aws-sdk/client-bedrock-runtime/dist-types/models/enums.d.ts';

const declared: readonly DeclaredReasons[] = [
  {
    dialect: 'chat',
    file: 'openai/resources/chat/completions/completions.d.ts',
    type: 'ChatCompletion.Choice',
    member: 'finish_reason',
    toAnswer: (reason) => ({ choices: [{ message: {}, finish_reason: reason }] }),
  },
  {
    dialect: 'responses',
    file: 'openai/resources/responses/responses.d.ts',
    type: 'Response.IncompleteDetails',
    member: 'reason',
    toAnswer: (reason) => ({ status: 'incomplete', incomplete_details: { reason }, output: [] }),
    // Only WebSockets can steer.
    others: ['steered'],
  },
  {
    dialect: 'messages',
    file: '@anthropic-ai/sdk/resources/beta/messages/messages.d.ts',
    type: 'BetaMessage',
    member: 'stop_reason',
    toAnswer: (reason) => ({ type: 'message', content: [], stop_reason: reason }),
  },
  {
    dialect: 'converse',
    file: bedrock,
    type: 'StopReason',
    toAnswer: (reason) => ({ output: { message: { content: [] } }, stopReason: reason }),
    others: ['malformed_model_output'],
  },
  {
    dialect: 'cohere',
    file: cohere,
    type: 'ChatFinishReason.Raw',
    toAnswer: (reason) => ({ message: { content: [] }, finish_reason: reason }),
  },
  {
    dialect: 'gemini',
    file: '@google/genai/dist/genai.d.ts',
    type: 'Candidate',
    member: 'finishReason',
    toAnswer: (reason) => ({ candidates: [{ content: { parts: [] }, finishReason: reason }] }),
    others: [
      'FINISH_REASON_UNSPECIFIED',
      'OTHER',
      'IMAGE_OTHER',
      'NO_IMAGE',
      'TOO_MANY_TOOL_CALLS',
      'MISSING_THOUGHT_SIGNATURE',
      'MALFORMED_RESPONSE',
    ],
  },
];

const reasonsOf = ({ file, type, member }: DeclaredReasons): readonly string[] => {
  const whole = declaredType(file, type);
  const reasons = member === undefined ? whole : membersOf(whole).find(({ name }) => name === member)?.type;
  return (reasons?.getUnionTypes() ?? []).flatMap((each) => {
    const value = each.getLiteralValue();
    return typeof value === 'string' ? [value] : [];
  });
};

describe.each(declared)('the reasons for which an answer of $dialect ends, in $file', (each) => {
  it('are all known', () => {
    const codec = builtinDialects.find(({ id }) => id === each.dialect)?.conversation;
    const reasons = reasonsOf(each);
    expect(reasons.length).toBeGreaterThan(1);
    const unknown = reasons.filter((reason) => {
      try {
        return codec?.decodeAnswer(each.toAnswer(reason), here).choices[0]?.finish.reason === 'other';
      } catch {
        // The reason means that the provider failed.
        return false;
      }
    });
    expect(unknown.toSorted()).toEqual([...(each.others ?? [])].toSorted());
  });
});
