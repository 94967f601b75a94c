import { describe, expect, it } from 'vitest';
import { runGw } from '../support/commands/run-gw.ts';
import { temporaryFolder } from '../support/commands/temporary-folder.ts';

const files = {
  'gateway.json': {
    providers: { main: { provider: 'openaj', credential: { api_key: '${env:KEY}' } } },
    virtual_keys: { vault: { provider: 'openai' } },
    guardrails: { words: { 'default.contains': { wordz: ['a'] } } },
  },
  'a.json': { provider: '@main' },
};

describe('the records in a gateway file', () => {
  it.each(['check', 'explain'])(
    'are checked by gw %s, which reports each mistake at its place in that file',
    async (command) => {
      const { code, out, err } = await runGw(temporaryFolder(files), [command, 'a.json']);
      expect(code).toBe(1);
      for (const place of [
        '/providers/main/provider',
        '/virtual_keys/vault/provider',
        '/guardrails/words/default.contains/wordz',
      ])
        expect(out + err).toContain(place);
      expect(out + err).toContain('Did you mean "openai"?');
      expect(out + err).toContain('Did you mean "words"?');
    },
  );
});
