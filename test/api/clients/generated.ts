/**
 * Generates clients from the document in a temporary folder, and does with them everything in the README's chapter on the
 * store: `node test/api/clients/generated.ts typescript`, or `python` (3.10 or newer, with venv). Exits with 1 if a client
 * cannot be generated, does not compile, or gets a different answer.
 */
import { isDeepStrictEqual } from 'node:util';
import { clientSays, done, generatedClients } from './generated-clients.ts';

const [name = ''] = process.argv.slice(2);
const generate = generatedClients[name];
if (generate === undefined) {
  process.stderr.write(`Name one of ${Object.keys(generatedClients).join(', ')}.\n`);
  process.exitCode = 1;
} else {
  const said = await clientSays(generate);
  process.stdout.write(`${JSON.stringify(said)}\n`);
  if (!isDeepStrictEqual(said, done)) throw new Error(`Expected ${JSON.stringify(done)}.`);
}
