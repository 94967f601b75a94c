import { createWriteStream } from 'node:fs';
import { definePlugin } from 'gatewright/sdk';

const name = 'gatewright-plugin-file-logger';

/** The most bytes that wait for the disk; the lines of further requests are counted instead. */
const maxWaiting = 1 << 20;

/** Where a request went, as its trail tells: each attempt with its status. */
const attemptsOf = (trail) =>
  trail.flatMap((event) => (event.kind === 'attempted' ? [{ target: event.target, status: event.status }] : []));

/** Appends a line of JSON to `file` for each request. Texts, headers and credentials are left out. */
export default definePlugin({
  name,
  options: {
    type: 'object',
    required: ['file'],
    properties: { file: { type: 'string', minLength: 1, description: 'The file that lines are appended to.' } },
  },
  apply(hooks, { file }) {
    const out = createWriteStream(file, { flags: 'a' });
    let dropped = 0;
    // A full disk must not end the gateway.
    out.on('error', (error) => process.stderr.write(`${name} cannot write to ${file}: ${error.message}\n`));
    hooks.completed.tap(name, ({ status, leaf }, { traceId, principal, request, trail }, end) => {
      if (out.writableLength > maxWaiting) {
        dropped += 1;
        return;
      }
      const line = {
        time: new Date().toISOString(),
        traceId,
        key: principal.keyId,
        path: request.path,
        status,
        end,
        provider: leaf?.provider,
        attempts: attemptsOf(trail),
        ...(dropped > 0 && { dropped }),
      };
      dropped = 0;
      out.write(`${JSON.stringify(line)}\n`);
    });
    hooks.close.tapPromise(name, () => new Promise((closed) => out.end(closed)));
  },
});
