import type { Provider } from '../../sdk/provider/provider.ts';
import { ai302 } from './302ai.ts';
import { ai21 } from './ai21.ts';
import { aibadgr } from './aibadgr.ts';
import { anyscale } from './anyscale.ts';
import { bytez } from './bytez.ts';
import { cerebras } from './cerebras.ts';
import { cometapi } from './cometapi.ts';
import { cortex } from './cortex.ts';
import { dashscope } from './dashscope.ts';
import { deepbricks } from './deepbricks.ts';
import { deepinfra } from './deepinfra.ts';
import { deepseek } from './deepseek.ts';
import { featherlessAi } from './featherless-ai.ts';
import { fireworksAi } from './fireworks-ai.ts';
import { github } from './github.ts';
import { groq } from './groq.ts';
import { huggingface } from './huggingface.ts';
import { hyperbolic } from './hyperbolic.ts';
import { inferenceNet } from './inference-net.ts';
import { iointelligence } from './iointelligence.ts';
import { jina } from './jina.ts';
import { klusterAi } from './kluster-ai.ts';
import { krutrim } from './krutrim.ts';
import { lambda } from './lambda.ts';
import { lemonfoxAi } from './lemonfox-ai.ts';
import { lepton } from './lepton.ts';
import { lingyi } from './lingyi.ts';
import { litellm } from './litellm.ts';
import { llamaCpp } from './llama.cpp.ts';
import { lmstudio } from './lmstudio.ts';
import { matterai } from './matterai.ts';
import { minimax } from './minimax.ts';
import { modal } from './modal.ts';
import { monsterapi } from './monsterapi.ts';
import { moonshot } from './moonshot.ts';
import { ncompass } from './ncompass.ts';
import { nebius } from './nebius.ts';
import { nextbit } from './nextbit.ts';
import { novitaAi } from './novita-ai.ts';
import { nscale } from './nscale.ts';
import { nvidia } from './nvidia.ts';
import { ollama } from './ollama.ts';
import { openai } from './openai.ts';
import { anyOpenaiCompatible } from './openai-compatible.ts';
import { openrouter } from './openrouter.ts';
import { ovhcloud } from './ovhcloud.ts';
import { perplexityAi } from './perplexity-ai.ts';
import { predibase } from './predibase.ts';
import { rekaAi } from './reka-ai.ts';
import { sambanova } from './sambanova.ts';
import { siliconflow } from './siliconflow.ts';
import { togetherAi } from './together-ai.ts';
import { triton } from './triton.ts';
import { upstage } from './upstage.ts';
import { vercel } from './vercel.ts';
import { vllm } from './vllm.ts';
import { voyage } from './voyage.ts';
import { workersAi } from './workers-ai.ts';
import { xAi } from './x-ai.ts';
import { zAi } from './z-ai.ts';
import { zhipu } from './zhipu.ts';

/** Every service that follows OpenAI's API, sorted by id. */
export const openaiLikeProviders: readonly Provider[] = [
  ai302,
  ai21,
  aibadgr,
  anyscale,
  bytez,
  cerebras,
  cometapi,
  cortex,
  dashscope,
  deepbricks,
  deepinfra,
  deepseek,
  featherlessAi,
  fireworksAi,
  github,
  groq,
  huggingface,
  hyperbolic,
  inferenceNet,
  iointelligence,
  jina,
  klusterAi,
  krutrim,
  lambda,
  lemonfoxAi,
  lepton,
  lingyi,
  litellm,
  llamaCpp,
  lmstudio,
  matterai,
  minimax,
  modal,
  monsterapi,
  moonshot,
  ncompass,
  nebius,
  nextbit,
  novitaAi,
  nscale,
  nvidia,
  ollama,
  openai,
  anyOpenaiCompatible,
  openrouter,
  ovhcloud,
  perplexityAi,
  predibase,
  rekaAi,
  sambanova,
  siliconflow,
  togetherAi,
  triton,
  upstage,
  vercel,
  vllm,
  voyage,
  workersAi,
  xAi,
  zAi,
  zhipu,
];
