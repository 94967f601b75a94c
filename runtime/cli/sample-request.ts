import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import type { Target } from '../../schema/plan/plan.ts';
import type { GenerationPlans } from '../file-plans/generation.ts';

/** A request that the configuration can answer. */
export interface SampleRequest {
  /** The config that it names. Absent if the gateway chooses by the model, or has a default. */
  readonly config?: string;
  readonly model: string;
  /** Whether a part of the model is a placeholder that the reader replaces. Default: false. */
  readonly isOpen?: true;
}

/** Parts of the names of models that do something other than hold conversations. */
const otherKinds =
  /embed|rerank|moderation|whisper|transcri|tts|speech|speak|audio|realtime|dall-e|imag|video|sora|ocr/i;

/** Parts of the names of models that hold conversations. */
const chatKinds =
  /\b(?:chat|gpt|claude|gemini|gemma|llama|mistral|ministral|magistral|mixtral|codestral|command|qwen|deepseek|grok|kimi|glm|nova|phi|sonar|jamba|granite|nemotron)/i;

/** Returns the model of a request, after a prefix: a placeholder if nothing else sets the model. */
const toModel = (isSet: boolean, before = ''): Pick<SampleRequest, 'model' | 'isOpen'> =>
  isSet ? { model: `${before}any` } : { model: `${before}MODEL`, isOpen: true };

type SampleTarget = Pick<Target, 'from' | 'model' | 'params' | 'prompt' | 'settings'>;

const targetModel = ({ model, params }: SampleTarget): string | undefined => {
  const { model: set = model } = params.override;
  return typeof set === 'string' && set !== '' ? set : undefined;
};

const namesDeployment = (settings: JsonObject): boolean =>
  Object.keys(settings).some((name) => /deployment/.test(name));

/** Whether a target is called with its own model, whichever model the request names. */
const setsModel = (target: SampleTarget): boolean =>
  targetModel(target) !== undefined ||
  target.prompt !== undefined ||
  target.from.kind === 'prompt' ||
  ('provider' in target.from && target.from.provider === 'echo') ||
  namesDeployment(target.settings);

const leavesProvider = (targets: readonly SampleTarget[]): boolean =>
  targets.some(({ from }) => from.kind === 'request');

/** Returns the first virtual model that is known to hold conversations, or else the first that may. */
const virtualModel = (models: GatewayFile['models'] = {}, served: GenerationPlans['models']): string | undefined => {
  const possible = Object.entries(models)
    .map(([name, text]) => {
      const targets = served?.get(name)?.served?.routing.targets ?? [];
      return { name, text: [name, text, ...targets.flatMap((target) => targetModel(target) ?? [])].join(' ') };
    })
    .filter(({ text }) => !otherKinds.test(text));
  return (possible.find(({ text }) => chatKinds.test(text)) ?? possible[0])?.name;
};

/** Returns the first config that holds conversations and whose name needs no quotes. */
const firstConfig = ({ entries }: GenerationPlans): SampleRequest | undefined => {
  const found = [...entries].find(([name, { served }]) => {
    const { targets } = served.routing;
    const texts = [name, ...targets.flatMap((target) => targetModel(target) ?? [])];
    return /^[\w.-]+$/.test(name) && !leavesProvider(targets) && !otherKinds.test(texts.join(' '));
  });
  return found && { config: found[0], ...toModel(found[1].served.routing.targets.every(setsModel)) };
};

const firstProvider = (providers: GatewayFile['providers'] = {}): SampleRequest | undefined => {
  const [found] = Object.entries(providers);
  if (found === undefined) return undefined;
  const [slug, { provider, settings = {} }] = found;
  return toModel(provider === 'echo' || namesDeployment(settings), `@${slug}/`);
};

/**
 * Returns a request that is answered by a virtual model, the default config, another config, or a provider of the gateway file:
 * the first that exists. Undefined if none can.
 */
export const toSampleRequest = (
  plans: GenerationPlans,
  { models, default_config: name = '', providers }: Pick<GatewayFile, 'models' | 'default_config' | 'providers'>,
): SampleRequest | undefined => {
  const model = virtualModel(models, plans.models);
  if (model !== undefined) return { model };
  const targets = plans.entries.get(name)?.served.routing.targets;
  if (targets !== undefined) return leavesProvider(targets) ? undefined : toModel(targets.every(setsModel));
  return firstConfig(plans) ?? firstProvider(providers);
};
