import { instructions, list, type Members, object, structural } from '../../shared/checked-texts/members.ts';

/** The member that marks what a provider may cache: https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching */
export const cached: Members = { cache_control: object({ type: structural, ttl: structural }) };

/** `{"type":"input_tokens","value":30000}` */
const amount = object({ type: structural, value: structural });

const thinking = object({
  type: structural,
  budget_tokens: structural,
  display: structural,
  block_binding: object({ prefix_mismatch_behavior: structural }),
});

const outputConfig = object({
  effort: structural,
  format: instructions,
  task_budget: object({ type: structural, total: structural, remaining: structural }),
});

/** https://docs.anthropic.com/en/docs/build-with-claude/context-editing */
const edit = object({
  type: structural,
  trigger: amount,
  keep: amount,
  clear_at_least: amount,
  clear_tool_inputs: list(structural),
  exclude_tools: list(structural),
  instructions,
  pause_after_compaction: structural,
});

const skill = object({ skill_id: structural, type: structural, version: structural });

/** https://docs.anthropic.com/en/docs/agents-and-tools/mcp-connector */
const server = object({
  name: structural,
  type: structural,
  url: structural,
  authorization_token: structural,
  tool_configuration: object({ allowed_tools: list(structural), enabled: structural }),
});

/** The members of a request beside its conversation: https://docs.anthropic.com/en/api/messages */
export const settings: Members = {
  model: structural,
  max_tokens: structural,
  stream: structural,
  temperature: structural,
  top_p: structural,
  top_k: structural,
  stop_sequences: instructions,
  tools: instructions,
  tool_choice: object({ type: structural, name: structural, disable_parallel_tool_use: structural }),
  thinking,
  output_config: outputConfig,
  output_format: instructions,
  metadata: object({ user_id: structural }),
  service_tier: structural,
  speed: structural,
  inference_geo: structural,
  anthropic_version: structural,
  anthropic_beta: list(structural),
  betas: list(structural),
  user_profile_id: structural,
  workspace_id: structural,
  billing_policy: object({ type: structural, bill_to: structural }),
  container: object({ id: structural, skills: list(skill) }),
  mcp_servers: list(server),
  context_management: object({ edits: list(edit) }),
  compaction: object({ type: structural, instructions }),
  diagnostics: object({ previous_message_id: structural }),
  fallback_credit_token: object({ token: structural, mode: structural }),
  fallbacks: list(
    object({
      model: structural,
      max_tokens: structural,
      output_config: outputConfig,
      speed: structural,
      thinking,
    }),
  ),
  thread: object({ type: structural, previous_message_id: structural }),
  ...cached,
};
