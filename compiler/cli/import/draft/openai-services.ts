import { lookUp } from '../../../../schema/json/look-up.ts';

/** A service with OpenAI's API that is not a separate provider here, and is called as `openai-compatible`. */
export interface OpenaiService {
  /** Absent if each customer has a different address. */
  readonly address?: string;
  /** The variable from which LiteLLM reads the key; absent if it needs none. */
  readonly key?: string;
  /** The variable from which LiteLLM reads the address, if `address` is absent. */
  readonly addressVariable?: string;
}

/**
 * The services by their names in LiteLLM: `litellm_core_utils/get_llm_provider_logic.py` and `llms/openai_like/providers.json`
 * of https://github.com/BerriAI/litellm.
 */
const services: Readonly<Record<string, OpenaiService>> = {
  baseten: { address: 'https://inference.baseten.co/v1', key: 'BASETEN_API_KEY' },
  chutes: { address: 'https://llm.chutes.ai/v1', key: 'CHUTES_API_KEY' },
  codestral: { address: 'https://codestral.mistral.ai/v1', key: 'CODESTRAL_API_KEY' },
  databricks: { key: 'DATABRICKS_API_KEY', addressVariable: 'DATABRICKS_API_BASE' },
  empower: { address: 'https://app.empower.dev/api/v1', key: 'EMPOWER_API_KEY' },
  friendliai: { address: 'https://api.friendli.ai/serverless/v1', key: 'FRIENDLI_TOKEN' },
  galadriel: { address: 'https://api.galadriel.com/v1', key: 'GALADRIEL_API_KEY' },
  gmi: { address: 'https://api.gmi-serving.com/v1', key: 'GMI_API_KEY' },
  meta_llama: { address: 'https://api.llama.com/compat/v1', key: 'LLAMA_API_KEY' },
  morph: { address: 'https://api.morphllm.com/v1', key: 'MORPH_API_KEY' },
  'nano-gpt': { address: 'https://nano-gpt.com/api/v1', key: 'NANOGPT_API_KEY' },
  poe: { address: 'https://api.poe.com/v1', key: 'POE_API_KEY' },
  publicai: { address: 'https://api.publicai.co/v1', key: 'PUBLICAI_API_KEY' },
  scaleway: { address: 'https://api.scaleway.ai/v1', key: 'SCW_SECRET_KEY' },
  synthetic: { address: 'https://api.synthetic.new/openai/v1', key: 'SYNTHETIC_API_KEY' },
  v0: { address: 'https://api.v0.dev/v1', key: 'V0_API_KEY' },
  veniceai: { address: 'https://api.venice.ai/api/v1', key: 'VENICE_AI_API_KEY' },
  volcengine: { address: 'https://ark.cn-beijing.volces.com/api/v3', key: 'VOLCENGINE_API_KEY' },
  wandb: { address: 'https://api.inference.wandb.ai/v1', key: 'WANDB_API_KEY' },
  xiaomi_mimo: { address: 'https://api.xiaomimimo.com/v1', key: 'XIAOMI_MIMO_API_KEY' },
  xinference: { addressVariable: 'XINFERENCE_API_BASE' },
};

/** Returns the service that LiteLLM calls by a name; undefined if it does not have OpenAI's API, or is a provider here. */
export const findOpenaiService = (name: string): OpenaiService | undefined => lookUp(services, name.toLowerCase());
