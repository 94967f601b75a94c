import type { GatewayFile } from '../../schema/generated/gateway-file.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import type { Target } from '../../schema/plan/plan.ts';
import type { GenerationPlans } from '../plan-generations/generation.ts';
import { ownAddresses } from './settings/serve-options.ts';

/** A request that is answered by what is configured. */
export interface SampleRequest {
  /** The config that it names; absent where the gateway chooses by the model, or has a default. */
  readonly config?: string;
  readonly model: string;
  /** Whether a part of the model is a placeholder that the reader replaces; false if absent. */
  readonly isOpen?: true;
}

/** The texts in names of models that do something else than hold conversations. */
const otherKinds =
  /embed|rerank|moderation|whisper|transcri|tts|speech|speak|audio|realtime|dall-e|imag|video|sora|ocr/i;

/** The names that models have which hold conversations. */
const chatKinds =
  /\b(?:chat|gpt|claude|gemini|gemma|llama|mistral|ministral|magistral|mixtral|codestral|command|qwen|deepseek|grok|kimi|glm|nova|phi|sonar|jamba|granite|nemotron)/i;

/** The model of a request, after what it begins with: a placeholder where nothing else sets the model. */
const toModel = (isSet: boolean, before = ''): Pick<SampleRequest, 'model' | 'isOpen'> =>
  isSet ? { model: `${before}any` } : { model: `${before}MODEL`, isOpen: true };

type SampleTarget = Pick<Target, 'from' | 'model' | 'params' | 'prompt' | 'settings'>;

const targetModel = ({ model, params }: SampleTarget): string | undefined => {
  const { model: set = model } = params.override;
  return typeof set === 'string' && set !== '' ? set : undefined;
};

const namesDeployment = (settings: JsonObject): boolean =>
  Object.keys(settings).some((name) => /deployment/.test(name));

/** Whether a target is called with a model of its own, whichever the request names. */
const setsModel = (target: SampleTarget): boolean =>
  targetModel(target) !== undefined ||
  target.prompt !== undefined ||
  target.from.kind === 'prompt' ||
  ('provider' in target.from && target.from.provider === 'echo') ||
  namesDeployment(target.settings);

const leavesProvider = (targets: readonly SampleTarget[]): boolean =>
  targets.some(({ from }) => from.kind === 'request');

/** The first virtual model that is known to hold conversations; else the first that may. */
const virtualModel = (models: GatewayFile['models'] = {}, served: GenerationPlans['models']): string | undefined => {
  const possible = Object.entries(models)
    .map(([name, text]) => {
      const targets = served?.get(name)?.served?.routing.targets ?? [];
      return { name, text: [name, text, ...targets.flatMap((target) => targetModel(target) ?? [])].join(' ') };
    })
    .filter(({ text }) => !otherKinds.test(text));
  return (possible.find(({ text }) => chatKinds.test(text)) ?? possible[0])?.name;
};

/** A config that holds conversations, and whose name needs no quotes. */
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
 * A request that a virtual model, the default config, another config or a provider of the gateway file answers, the first that
 * there is; undefined where none of them can.
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

export interface GreetingOptions {
  readonly host: string;
  readonly port: number;
  readonly settings: GatewayFile;
  /** Names of the plans in service. */
  readonly plans: readonly string[];
  /** Absent where nothing is configured that answers, so that `echo` does. */
  readonly sample?: SampleRequest | undefined;
  /** The path of the console; absent where no keys are kept in a store. */
  readonly consolePath?: string | undefined;
  /** The processes that serve; one if absent. */
  readonly workers?: number;
}

const urlHost = (host: string): string => {
  const own = ownAddresses.get(host) ?? host;
  return own.includes(':') ? `[${own.replace('%', '%25')}]` : own;
};

/** The URL at which this machine reaches a gateway that listens there. */
export const listensOn = (
  { host, port }: { readonly host: string; readonly port: number },
  { isSecure = false }: { readonly isSecure?: boolean } = {},
): string => `${isSecure ? 'https' : 'http'}://${urlHost(host)}:${port}`;

/** Says that others can connect as well, where it listens on all addresses; nothing where it does not. */
const everywhere = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  ownAddresses.has(host) ? `, and at port ${port} of all addresses of this machine` : '';

/** Where metrics have a port of their own. Who can connect may read them. */
export const metricsGreeting = (at: { readonly host: string; readonly port: number }): string =>
  `Metrics are at ${listensOn(at)}/metrics${everywhere(at)}.`;

/** A shell expression for the value of a secret reference. */
const shellValue = (ref: string): string => {
  const [, kind, name = ''] = /^\$\{(env|file):([^}]+)\}$/.exec(ref) ?? [];
  return kind === 'file' ? `$(cat ${name})` : `$${name}`;
};

/** A quote would end the argument that the shell reads. */
const bodyOf = (model: string): string =>
  `'${JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello!' }] }).replaceAll("'", '\\u0027')}'`;

/** The most virtual models that are listed. */
const maxListed = 20;

/** The virtual models of the gateway file, of which each is another name for a config or a model. */
const modelsText = (models: GatewayFile['models'] = {}): string => {
  const names = Object.keys(models);
  if (names.length === 0) return '';
  const more = names.length > maxListed ? ` and ${names.length - maxListed} more` : '';
  return `Clients ask for ${names.length === 1 ? 'the model' : 'the models'} ${names.slice(0, maxListed).join(', ')}${more}.\n`;
};

const sampleText = (sample: SampleRequest | undefined): string => {
  if (sample === undefined)
    return '  It is answered by echo, which is part of the gateway: no config, provider or key of a provider is tried.\n';
  return sample.isOpen === true ? '  Write the name of a model of the provider in place of MODEL.\n' : '';
};

/** Where the gateway listens, what it serves, and a command to copy and run. */
export const greeting = (options: GreetingOptions): string => {
  const { host, port, settings, plans, sample, consolePath, workers = 1 } = options;
  const url = listensOn({ host, port }, { isSecure: settings.listen?.tls !== undefined });
  const key = settings.auth?.keys[0]?.key;
  const hasStore = consolePath !== undefined;
  const value = key === undefined ? hasStore && '$GW_API_KEY' : shellValue(key);
  const auth = value === false ? '' : ` -H "x-gw-api-key: ${value}"`;
  const saved = plans.length === 0 ? '' : `It serves ${plans.join(', ')}.\n`;
  const several = workers === 1 ? '' : `${workers} workers serve.\n`;
  const source =
    key === undefined && hasStore
      ? '  GW_API_KEY is the admin key of the store, or a key that gw keys create made.\n'
      : '';
  const config = sample?.config === undefined ? '' : ` -H 'x-gw-config: ${sample.config}'`;
  const chosen = sample === undefined ? " -H 'x-gw-provider: echo'" : config;
  const console = hasStore ? `The console is at ${url}${consolePath}\n` : '';
  return `Gatewright listens on ${url}${everywhere({ host, port })}
${several}${saved}${modelsText(settings.models)}${console}
  curl ${url}/v1/chat/completions${auth}${chosen} -H 'content-type: application/json' -d ${bodyOf(sample?.model ?? 'echo')}
${sampleText(sample)}${source}
`;
};
