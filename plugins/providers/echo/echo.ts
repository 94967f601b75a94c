import { defineProvider, type Provider } from '../../sdk/provider/provider.ts';
import { EchoUpstream } from './echo-upstream.ts';

/**
 * Answers in process with the last user text, streamed or not, without a network or an account. A request can make it fail or
 * wait, with its model (`"model": "echo?status=503"`), which any dialect can carry, or with the member `echo` of its body
 * (`"echo": { "status": 503, "delay_ms": 20, "word_ms": 5, "cut_after": 2, "retry_after": 1 }`).
 */
export const echo: Provider = defineProvider({
  id: 'echo',
  credential: 'none',
  credentialFields: [],
  speaks: { chat: '/chat/completions', embeddings: '/embeddings' },
  headers: () => [],
  inProcess: (timers) => new EchoUpstream(timers),
});
