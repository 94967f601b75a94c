import type { KindFiles, NewPlugin } from './plugin-kind.ts';

/** A logger that writes to a file. */
export const loggerFiles = ({ name, id }: NewPlugin): KindFiles => ({
  source: `import { createWriteStream } from 'node:fs';
import type { Hooks } from 'gatewright/sdk';

/** The maximum number of bytes that may wait to be written. Further lines are dropped. */
const maxWaiting = 1 << 20;

/** Appends a line of JSON to \`file\` for each request: what was requested, and how it ended. Texts are left out. */
export const applyLogger = (hooks: Hooks, { file }: { readonly file: string }): void => {
  const out = createWriteStream(file, { flags: 'a' });
  // A full disk must not end the gateway.
  out.on('error', (error) => process.stderr.write(\`${name} cannot write: \${error.message}\\n\`));
  hooks.completed.tap('${name}', ({ status, leaf }, { traceId, request }, end) => {
    if (out.writableLength > maxWaiting) return;
    const line = { traceId, path: request.path, status, end, ...(leaf && { provider: leaf.provider }) };
    out.write(\`\${JSON.stringify(line)}\\n\`);
  });
  hooks.close.tapPromise('${name}', () => new Promise((closed) => void out.end(() => closed())));
};
`,
  test: `import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { applyPlugin, createTestExchange } from 'gatewright/testing';
import plugin from './index.js';

test('the logger writes a line for each request', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'logger-'));
  const file = join(folder, 'requests.log');
  const hooks = applyPlugin(plugin, { file });
  const response = { status: 200, headers: [], origin: 'upstream', body: { kind: 'bytes', bytes: Buffer.from('{}') } } as const;
  hooks.completed.call(response, createTestExchange({ path: '/chat/completions', body: {} }), 'complete');
  await hooks.close.promise();
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), {
    traceId: 'test-trace',
    path: '/chat/completions',
    status: 200,
    end: 'complete',
  });
  rmSync(folder, { recursive: true });
});
`,
  index: `options: {
    type: 'object',
    required: ['file'],
    properties: { file: { type: 'string', minLength: 1, description: 'The file that lines are appended to.' } },
  },
  apply: applyLogger`,
  hooks: ['completed', 'close'],
  use: {
    text: 'The gateway file says where it writes:',
    json: { plugins: [{ package: name, options: { file: `${id}.log` } }] },
  },
});
