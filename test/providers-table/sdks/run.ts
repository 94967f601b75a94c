/**
 * `npm run providers:sdks`: sends requests with the vendors' own libraries, and to the vendors' own servers. They are installed
 * from npm and PyPI, which needs Python 3.10 or newer, in a folder that is removed afterwards. To keep them for the next run,
 * name a folder in `PROVIDERS_SDKS`. Arguments limit the run to the providers that they name. With `--write` the results are
 * written to `seen.json`, for the table. Without it, the exit code is 1 if the results differ from that file. The exit code is
 * always 1 if a library sends something other than the gateway does, or if a server does not accept what the gateway sends.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { builtinDialects } from '../../../plugins/dialects/builtin-dialects.ts';
import { builtinProviders } from '../../../plugins/providers/builtin-providers.ts';
import { startGateway } from '../../support/gateways/gateway-process.ts';
import { startUpstream } from '../../support/servers/upstream-server.ts';
import { savedProviders, secrets, toSlug } from '../saved-providers.ts';
import { compareWithVendor, tryCell } from '../try-cell.ts';
import { type InstalledSdk, installPythonSdks, installVendorSdks } from './installed-sdks.ts';
import { pythonSdks } from './python/python-sdks.ts';
import { type Seen, seen } from './seen.ts';
import { answerServer, askServer } from './servers/ask-server.ts';
import { litellmServer } from './servers/litellm-server.ts';
import type { VendorServer } from './servers/vendor-server.ts';
import { vendorSdks } from './vendor-sdks.ts';

const vendorServers: readonly VendorServer[] = [litellmServer];

const gw = path.join(import.meta.dirname, '../../../gw.js');

const only = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
const isAsked = ({ provider }: { readonly provider: string }): boolean => only.length === 0 || only.includes(provider);

const given = process.env.PROVIDERS_SDKS;
const folder = given ?? (await mkdtemp(path.join(tmpdir(), 'gw-providers-sdks-')));

const upstream = await startUpstream();
const gateway = await startGateway({
  command: [process.execPath, gw],
  files: { 'gateway.json': { providers: savedProviders(builtinProviders, upstream.origin) } },
  env: secrets,
});

/** Runs the attempt, reports its result on stdout, and returns whether it succeeded. */
const report = async (what: string, does: string, attempt: () => Promise<void>): Promise<boolean> => {
  try {
    await attempt();
    process.stdout.write(`${what} ${does}.\n`);
    return true;
  } catch (error) {
    process.exitCode = 1;
    process.stdout.write(`${what} does not.\n${error instanceof Error ? error.message : error}\n`);
    return false;
  }
};

/** Returns the formats in which the library sends the same requests as the gateway, each with the library's name and version. */
const tryLibrary = async ({ provider: id, ...vendor }: InstalledSdk): Promise<Record<string, string>> => {
  const provider = builtinProviders.find((each) => each.id === id);
  if (provider === undefined) throw new Error(`There is no provider ${id}.`);
  const { library: name, asks } = vendor;
  const seenNow: Record<string, string> = {};
  for (const dialect of builtinDialects) {
    if (!Object.hasOwn(provider.speaks, dialect.id) || asks[dialect.id] === undefined) continue;
    const config = { provider: `@${toSlug(provider)}` };
    const cell = { provider, dialect, gateway: gateway.origin, config, upstream };
    const isSame = await report(`${id}, ${dialect.id}: ${name}`, 'asks for the same', async () => {
      const { request } = await tryCell(cell);
      if (request !== undefined) await compareWithVendor(cell, vendor, request);
    });
    if (isSame) seenNow[dialect.id] = name;
  }
  return seenNow;
};

/** Returns the formats in which a vendor's own server accepts what the gateway sends. */
const tryServer = async ({ provider, dialects, model, start }: VendorServer): Promise<Record<string, string>> => {
  const { library, baseUrl, key, stop } = await start(path.join(folder, provider), upstream.origin);
  const seenNow: Record<string, string> = {};
  upstream.handle(answerServer);
  try {
    for (const dialect of dialects) {
      const config = { provider, api_key: key, custom_host: baseUrl };
      const isTaken = await report(`${provider}, ${dialect}: ${library}`, 'takes it', () =>
        askServer(dialect, { gateway: gateway.origin, config, model }),
      );
      if (isTaken) seenNow[dialect] = library;
    }
  } finally {
    await stop();
  }
  return seenNow;
};

try {
  const sdks = [
    ...(await installVendorSdks(path.join(folder, 'npm'), vendorSdks.filter(isAsked))),
    ...(await installPythonSdks(path.join(folder, 'python'), pythonSdks.filter(isAsked))),
  ];
  const now: Record<string, Record<string, string>> = {};
  for (const server of vendorServers.filter(isAsked)) now[server.provider] = await tryServer(server);
  for (const sdk of sdks) now[sdk.provider] = { ...(await tryLibrary(sdk)), ...now[sdk.provider] };
  const tried: Seen = { ...(only.length === 0 ? {} : seen), ...now };
  const sorted = Object.fromEntries(Object.entries(tried).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  if (process.argv.includes('--write'))
    await writeFile(path.join(import.meta.dirname, 'seen.json'), `${JSON.stringify(sorted, null, 2)}\n`);
  else if (!isDeepStrictEqual(seen, sorted)) {
    process.exitCode = 1;
    process.stdout.write('seen.json says something else; --write writes it.\n');
  }
} finally {
  await gateway.stop();
  await upstream.close();
  if (given === undefined) await rm(folder, { recursive: true, force: true });
}
