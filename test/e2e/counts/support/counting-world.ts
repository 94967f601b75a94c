import { builtinProviders } from '../../../../plugins/providers/builtin-providers.ts';
import { dialectBasePath } from '../../../../plugins/sdk/provider/dialect-base-path.ts';
import type { Provider } from '../../../../plugins/sdk/provider/provider.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject } from '../../../../schema/json/loose.ts';
import type { ReceivedRequest } from '../../../support/servers/upstream-server.ts';
import type { GatewayAndUpstream } from '../../support/gateway-and-upstream.ts';

/** The count that each vendor returns. */
export const counted = 41;
/** The text to count. */
export const words = 'How many tokens is this?';
/** The instructions to count. */
export const instructions = 'Be brief.';

/** A format for counting as its vendor documents it. */
export interface CountFormat {
  /** Throws for a body that the vendor refuses. */
  check(body: JsonObject): void;
  readonly answer: JsonObject;
}

const only = (body: JsonObject | undefined, names: readonly string[], required: readonly string[]): void => {
  const own = Object.keys(body ?? {});
  const unknown = own.filter((name) => !names.includes(name));
  const missing = required.filter((name) => !own.includes(name));
  if (unknown.length + missing.length > 0) throw new Error(`unknown ${unknown}, missing ${missing}`);
};

const messagesNames = ['messages', 'model', 'system', 'thinking', 'tool_choice', 'tools', 'output_config'];
const responsesNames = ['input', 'instructions', 'model', 'parallel_tool_calls', 'reasoning', 'text', 'tool_choice'];

const formats = {
  /** https://docs.anthropic.com/en/api/messages-count-tokens */
  'messages-count': {
    check: (body) => only(body, messagesNames, ['messages', 'model']),
    answer: { input_tokens: counted },
  },
  /** https://platform.openai.com/docs/api-reference/responses/input-tokens */
  'responses-count': {
    check: (body) => only(body, [...responsesNames, 'tools', 'truncation'], ['input', 'model']),
    answer: { object: 'response.input_tokens', input_tokens: counted },
  },
  /** https://ai.google.dev/api/tokens: contents, or a whole request, which must name its model. */
  'gemini-count': {
    check(body) {
      if (body.contents !== undefined) only(body, ['contents'], ['contents']);
      else {
        only(body, ['generateContentRequest'], ['generateContentRequest']);
        const request = findObject(body.generateContentRequest);
        const more = ['systemInstruction', 'tools', 'toolConfig', 'generationConfig'];
        only(request, ['model', 'contents', ...more], ['model', 'contents']);
        if (request?.model !== 'models/a-model') throw new Error(`another model: ${request?.model}`);
      }
    },
    answer: { totalTokens: counted, promptTokensDetails: [{ modality: 'TEXT', tokenCount: counted }] },
  },
  /** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CountTokens.html */
  'converse-count': {
    check(body) {
      only(body, ['input'], ['input']);
      const input = findObject(body.input);
      if (input?.invokeModel === undefined) {
        only(input, ['converse'], ['converse']);
        only(
          findObject(input?.converse),
          ['messages', 'system', 'toolConfig', 'additionalModelRequestFields'],
          ['messages'],
        );
      } else only(input, ['invokeModel'], ['invokeModel']);
    },
    answer: { inputTokens: counted },
  },
  /** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/count-tokens */
  vertexGemini: {
    check: (body) =>
      only(body, ['contents', 'systemInstruction', 'tools', 'generationConfig', 'instances', 'model'], ['contents']),
    answer: { totalTokens: counted, totalBillableCharacters: 20 },
  },
  /** https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude/count-tokens */
  vertexClaude: {
    check: (body) => only(body, [...messagesNames, 'anthropic_version'], ['messages', 'model', 'anthropic_version']),
    answer: { input_tokens: counted },
  },
} as const satisfies Readonly<Record<string, CountFormat>>;

/** An endpoint at which a provider counts. Clients of the dialect `own` are forwarded unchanged. */
export interface Counting {
  readonly path: string;
  readonly format: CountFormat;
  readonly own?: string;
}

export interface Row {
  readonly name: string;
  readonly provider: string;
  readonly model: string;
  readonly target: JsonObject;
  readonly base: string;
  /** Settings that can be set only by headers. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Without endpoints, the gateway estimates. The first one is called for clients of other dialects. */
  readonly counts: readonly Counting[];
}

const key = { api_key: 'key-of-the-test' };

const messagesAt = (path: string): Counting => ({ path, format: formats['messages-count'], own: 'messages-count' });
const responsesAt = (path: string): Counting => ({ path, format: formats['responses-count'], own: 'responses-count' });

const vertex = { cloudb_project_id: 'acme', cloudb_region: 'europe-west4' };
const vertexModels = '/v1/projects/acme/locations/europe-west4/publishers';
const aws = { cloudc_access_key_id: 'AKIATEST', cloudc_secret_access_key: 'secret-of-the-test' };
const claude = 'anthropic.claude-sonnet-4-5-20250929-v1:0';
const foundry = { 'x-gw-clouda-foundry-url': 'https://acme.services.ai.azure.com' };

/** The endpoints of a row with plain paths. */
const countsOf = (provider: Provider): readonly Counting[] =>
  Object.entries(provider.speaks).flatMap(([dialect, endpoint]) => {
    if (typeof endpoint !== 'string') return [];
    const path = `${dialectBasePath(provider, dialect, '/v1')}${endpoint}`;
    if (dialect === 'messages-count') return [messagesAt(path)];
    return dialect === 'responses-count' ? [responsesAt(path)] : [];
  });

/** Providers with endpoints that their rows do not state as plain paths, or with targets that need more than a key. */
const special: Readonly<Record<string, readonly Partial<Row>[]>> = {
  'azure-ai': [
    { name: 'azure-ai, a resource', settings: foundry },
    {
      ...{ name: 'azure-ai, Claude', settings: foundry, model: 'claude-sonnet-4-5', base: '' },
      counts: [messagesAt('/anthropic/v1/messages/count_tokens')],
    },
  ],
  'azure-openai': [{ target: { resource_name: 'acme' }, base: '/openai' }],
  bedrock: [
    { name: 'bedrock, Nova', target: aws, model: 'amazon.nova-lite-v1:0', base: '' },
    ...['', 'eu.', 'global.', 'arn:aws:bedrock:eu-west-1:1234:inference-profile/eu.'].map((prefix) => ({
      ...{ name: `bedrock, ${prefix}Claude`, target: aws, model: prefix + claude, base: '' },
      counts: [
        {
          path: `/model/${encodeURIComponent(claude)}/count-tokens`,
          format: formats['converse-count'],
          own: 'converse-count',
        },
      ],
    })),
  ],
  google: [
    {
      base: '/v1beta',
      counts: [{ path: '/v1beta/models/a-model:countTokens', format: formats['gemini-count'], own: 'gemini-count' }],
    },
  ],
  'vertex-ai': [
    {
      ...{ name: 'vertex-ai, Gemini', target: vertex, base: '', model: 'gemini-a' },
      counts: [
        {
          path: `${vertexModels}/google/models/gemini-a:countTokens`,
          format: formats.vertexGemini,
          own: 'gemini-count',
        },
      ],
    },
    {
      ...{ name: 'vertex-ai, Claude', target: vertex, base: '', model: 'claude-a' },
      counts: [{ path: `${vertexModels}/anthropic/models/count-tokens:rawPredict`, format: formats.vertexClaude }],
    },
    { name: 'vertex-ai, Llama', target: vertex, base: '', model: 'meta/llama-a' },
  ],
};

const conversing = ['chat', 'messages', 'responses', 'gemini', 'converse', 'cohere'];

/** The model that requests name. Targets with another model set it. */
export const askedModel = 'a-model';

const toRows = (provider: Provider): readonly Row[] => {
  const { id, inProcess } = provider;
  return (special[id] ?? [{ counts: countsOf(provider) }]).map((more) => {
    const { name = id, model = askedModel, target = {}, base = '/v1', counts = [], settings } = more;
    const row = {
      name,
      provider: id,
      model,
      target: inProcess === undefined ? { ...key, ...target } : {},
      base,
      counts,
    };
    return settings === undefined ? row : { ...row, settings };
  });
};

export const rows: readonly Row[] = builtinProviders
  .filter(({ speaks }) => conversing.some((id) => speaks[id] !== undefined))
  .flatMap(toRows);

/** Stands for the vendors, and has the headers with which a client reaches them through the gateway. */
export interface CountingWorld {
  /** The headers with which a request is sent to the provider of a row. */
  headersOf(row: Row, more?: JsonObject): Record<string, string>;
  /** Answers as the vendor at its counting endpoints, and with 404 elsewhere. */
  serve(row: Row): readonly ReceivedRequest[];
}

/** Creates a counting world from a gateway and its upstream. */
export const countingWorld = (world: GatewayAndUpstream): CountingWorld => {
  const headersOf = (
    { provider, target, base, model, settings }: Row,
    more: JsonObject = {},
  ): Record<string, string> => {
    const host = `${world.upstream.origin}${base}`;
    if (settings !== undefined)
      return {
        ...settings,
        'x-gw-provider': provider,
        'x-gw-custom-host': host,
        authorization: `Bearer ${key.api_key}`,
      };
    const named = model === askedModel ? {} : { override_params: { model } };
    const placed = provider === 'echo' ? {} : { custom_host: host };
    return { 'x-gw-config': JSON.stringify({ provider, ...target, ...placed, ...named, ...more }) };
  };

  const serve = ({ counts }: Row): readonly ReceivedRequest[] => {
    const requests: ReceivedRequest[] = [];
    world.upstream.handle((call) => {
      requests.push(call.request);
      const found = counts.find(({ path }) => path === call.request.path);
      if (found === undefined)
        return call.json({ error: { message: `nothing at ${call.request.path}` } }, { status: 404 });
      try {
        found.format.check(call.request.json() as JsonObject);
        return call.json(found.format.answer);
      } catch (error) {
        return call.json({ error: { message: String(error) } }, { status: 400 });
      }
    });
    return requests;
  };

  return { headersOf, serve };
};
