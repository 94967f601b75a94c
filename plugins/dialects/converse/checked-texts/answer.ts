import { list, type Member, type Members, object, structural } from '../../shared/checked-texts/members.ts';
import { modelMessage } from './blocks.ts';
import { trace } from './trace.ts';

/** The model's own members of an answer, which the request asked for. Other fields than this one are judged. */
export const modelFields: Member = object({ stop_sequence: structural });

/** The members that are known once the answer has ended. */
export const ending: Members = {
  usage: object({
    inputTokens: structural,
    outputTokens: structural,
    totalTokens: structural,
    cacheReadInputTokens: structural,
    cacheWriteInputTokens: structural,
    cacheReadInputTokenCount: structural,
    cacheWriteInputTokenCount: structural,
    cacheDetails: list(object({ ttl: structural, inputTokens: structural })),
    serverToolUsage: object({ webSearchRequests: structural }),
  }),
  metrics: object({ latencyMs: structural }),
  performanceConfig: object({ latency: structural }),
  serviceTier: object({ type: structural }),
};

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html#API_runtime_Converse_ResponseSyntax */
export const answer: Member = object({
  output: object({ message: modelMessage }),
  stopReason: structural,
  additionalModelResponseFields: modelFields,
  trace,
  ...ending,
});
