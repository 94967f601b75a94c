import {
  before,
  instructions,
  list,
  type Members,
  map,
  object,
  structural,
  text,
} from '../../shared/checked-texts/members.ts';
import { anyMessage, content } from './blocks.ts';

/** A model's own fields. These are known; all others are judged. */
const modelFields = object({
  anthropic_version: structural,
  anthropic_beta: list(structural),
  inferenceConfig: object({ topK: structural }),
  metadata: object({ user_id: structural }),
  output_config: object({ effort: structural, format: instructions }),
  reasoningConfig: object({ type: structural, maxReasoningEffort: structural }),
  reasoning_config: object({ type: structural, budget_tokens: structural }),
  reasoning: object({ effort: structural }),
  reasoning_effort: structural,
  response_format: instructions,
  thinking: object({ type: structural, budget_tokens: structural, display: structural }),
  tool_choice: object({ type: structural, name: structural, disable_parallel_tool_use: structural }),
  tools: instructions,
  top_k: structural,
});

const settings: Members = {
  model: structural,
  modelId: structural,
  stream: structural,
  inferenceConfig: object({
    maxTokens: structural,
    temperature: structural,
    topP: structural,
    stopSequences: instructions,
  }),
  toolConfig: instructions,
  guardrailConfig: object({
    guardrailIdentifier: structural,
    guardrailVersion: structural,
    trace: structural,
    streamProcessingMode: structural,
  }),
  additionalModelRequestFields: modelFields,
  additionalModelResponseFieldPaths: list(structural),
  requestMetadata: map(structural),
  performanceConfig: object({ latency: structural }),
  serviceTier: object({ type: structural }),
  outputConfig: object({ effort: structural, textFormat: instructions }),
};

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
export const requestMembers: Members = {
  system: before(content),
  messages: list(anyMessage),
  // The values that fill in a prompt stored at the provider.
  promptVariables: map(object({ text: text() })),
  ...settings,
};
