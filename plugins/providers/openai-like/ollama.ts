import { passedSegments } from '../../sdk/http/passed-segments.ts';
import { changesAccount } from '../../sdk/provider/account-changes/changes-account.ts';
import { onlyAllows } from '../../sdk/provider/account-changes/only-allows.ts';
import { defineProvider, type Provider } from '../../sdk/provider/provider.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';

/** The rest of its own API pulls, copies and deletes models: https://docs.ollama.com/api */
const ownCalls: ReadonlySet<string> = new Set(['generate', 'chat', 'embed', 'embeddings', 'show']);

const changesOwn = onlyAllows(({ method, segments: [, call = ''] }) => method === 'POST' && ownCalls.has(call));

/**
 * https://docs.ollama.com/api/openai-compatibility. It has no default address, so a target names its host
 * (`custom_host: "http://127.0.0.1:11434/v1"`), and a key only if a proxy in front of it requires one.
 */
export const ollama: Provider = defineProvider({
  ...openaiCompatible({
    id: 'ollama',
    documentation: 'https://docs.ollama.com/api/openai-compatibility',
    operations: ['chat', 'completions', 'embeddings'],
    credential: 'optional',
    // It ignores the newer name of the token limit, so it gets the older one.
    drop: ['max_completion_tokens'],
    // A message with content other than text and images results in an error. Tools are functions:
    // https://docs.ollama.com/capabilities/tool-calling
    lacks: ['document', 'video', 'custom-tool'],
  }),
  changesAccount: (request) =>
    passedSegments(request.path)[0] === 'api' ? changesOwn(request) : changesAccount(request),
});
