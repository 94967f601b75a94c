import { type AllowedRequest, onlyAllows } from '../../sdk/provider/account-changes/only-allows.ts';
import { defineProvider, type Provider } from '../../sdk/provider/provider.ts';
import { onlyOpenaiCalls } from '../shared/only-openai-calls.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** The ways to call a model in its own protocol: `/v2/models/<model>[/versions/<version>]/generate`. */
const ownCalls: ReadonlySet<string> = new Set(['infer', 'generate', 'generate_stream']);

const isOwnCall = ({ method, segments }: AllowedRequest): boolean =>
  method === 'POST' && segments[0] === 'models' && ownCalls.has(segments.at(-1) ?? '');

/** The rest of its own protocol loads models, and changes traces, logs and shared memory. */
const changesOwn = onlyAllows(isOwnCall);

/**
 * The OpenAI-compatible frontend of Triton:
 * https://docs.nvidia.com/deeplearning/triton-inference-server/user-guide/docs/client_guide/openai_readme.html. In Triton's own
 * protocol the parameters depend on the model, so its paths below `/v2`, such as `/v2/models/<model>/generate`, are passed
 * through.
 */
export const triton: Provider = defineProvider({
  ...openaiCompatible({
    id: 'triton',
    documentation:
      'https://docs.nvidia.com/deeplearning/triton-inference-server/user-guide/docs/client_guide/openai_readme.html',
    baseUrl: 'http://localhost:9000/v1',
    credential: 'optional',
    operations: ['chat', 'completions', 'embeddings'],
    drop: ['logit_bias'],
    lacks: ['document', 'audio', 'video', 'custom-tool'],
    // Errors are a text: `{"detail": "…"}`, or `{"error": "…"}` in its own protocol.
    errorsVary: true,
    unconfirmed: ['drop', 'lacks', 'developers'],
  }),
  pathBeside: (path, basePath) => (/^\/v2\//.test(path) ? basePath.replace(/\/v1$/, '') + path : undefined),
  changesAccount: (request) => changesOwn(request) && onlyOpenaiCalls(request),
});
