import {
  list,
  type Member,
  type Members,
  object,
  structural,
  text,
  textOr,
} from '../../shared/checked-texts/members.ts';
import { block } from './blocks.ts';

const cacheCreation = object({ ephemeral_5m_input_tokens: structural, ephemeral_1h_input_tokens: structural });

const counts: Members = {
  input_tokens: structural,
  output_tokens: structural,
  cache_creation_input_tokens: structural,
  cache_read_input_tokens: structural,
  cache_creation: cacheCreation,
};

export const usage: Member = object({
  ...counts,
  output_tokens_details: object({ thinking_tokens: structural }),
  server_tool_use: object({ web_search_requests: structural, web_fetch_requests: structural }),
  service_tier: structural,
  inference_geo: structural,
  speed: structural,
  iterations: list(object({ type: structural, model: structural, ...counts })),
  fallback_credit: object({
    status: object({ type: structural, reason: structural, remove_to_redeem: list(structural) }),
  }),
});

/** The details of why the model refused. */
const stopDetails = object({
  explanation: text('refusal'),
  type: structural,
  category: structural,
  fallback_credit_token: structural,
  fallback_has_prefill_claim: structural,
  recommended_model: structural,
});

/** Members of a whole message, or of the last delta of a stream. */
export const closing: Members = {
  stop_reason: structural,
  stop_sequence: structural,
  stop_details: stopDetails,
  container: object({
    id: structural,
    expires_at: structural,
    skills: list(object({ skill_id: structural, type: structural, version: structural })),
  }),
};

/** The members that describe what the provider did with the request before the model read it. */
export const preparation: Members = {
  context_management: object({
    applied_edits: list(
      object({
        type: structural,
        cleared_input_tokens: structural,
        cleared_tool_uses: structural,
        cleared_thinking_turns: structural,
      }),
    ),
  }),
  input_transformations: list(object({ type: structural, path: structural, reason: structural })),
};

/** https://docs.anthropic.com/en/api/messages#response */
export const answer: Member = object({
  content: textOr(list(block)),
  ...closing,
  id: structural,
  type: structural,
  role: structural,
  model: structural,
  usage,
  ...preparation,
  diagnostics: object({
    cache_miss_reason: object({ type: structural, cache_missed_input_tokens: structural }),
  }),
});
