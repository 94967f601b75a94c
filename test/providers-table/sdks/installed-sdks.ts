import type { OfficialClient, Place } from '../clients/official-client.ts';
import { installFromNpm } from './install-from-npm.ts';
import { installFromPypi } from './python/install-from-pypi.ts';
import type { PythonSdk } from './python/python-sdk.ts';
import type { VendorSdk } from './vendor-sdk.ts';

/** An installed library, whose name includes its version. */
export interface InstalledSdk extends OfficialClient {
  readonly provider: string;
}

/** Installs libraries from npm. */
export const installVendorSdks = async (
  folder: string,
  sdks: readonly VendorSdk[],
): Promise<readonly InstalledSdk[]> => {
  if (sdks.length === 0) return [];
  const npm = await installFromNpm(
    folder,
    sdks.flatMap(({ library, needs = [] }) => [library, ...needs]),
  );
  return Promise.all(
    sdks.map(async ({ library, asks, ...sdk }) => ({
      ...sdk,
      library: `${library} ${await npm.versionOf(library)}`,
      asks: await asks(npm.load),
    })),
  );
};

/** Installs libraries from PyPI. */
export const installPythonSdks = async (
  folder: string,
  sdks: readonly PythonSdk[],
): Promise<readonly InstalledSdk[]> => {
  if (sdks.length === 0) return [];
  const pypi = await installFromPypi(
    folder,
    sdks.flatMap(({ library, needs = [] }) => [library, ...needs]),
  );
  return Promise.all(
    sdks.map(async ({ library, module, dialects, ...sdk }) => ({
      ...sdk,
      library: `${library} ${await pypi.versionOf(library)} (PyPI)`,
      asks: Object.fromEntries(
        dialects.map((dialect) => [dialect, (place: Place, text: string) => pypi.ask(module, dialect, place, text)]),
      ),
    })),
  );
};
