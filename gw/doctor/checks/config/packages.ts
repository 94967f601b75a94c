import { ServeFailure } from '../../../../runtime/cli/settings/serve-failure.ts';
import { type Check, type Finding, splitAdvice } from '../../set-up/finding.ts';
import type { SetUp } from '../../set-up/set-up.ts';

/** Finds a package as an import would, without loading it. */
export type ResolvePackage = (name: string) => unknown;

const isPostgres = (url: string | undefined): boolean => /^postgres(?:ql)?:/i.test(url ?? '');

const storeUrl = (setUp: SetUp): string | undefined => {
  try {
    return setUp.findStore();
  } catch (error) {
    if (error instanceof ServeFailure) return undefined;
    throw error;
  }
};

interface Need {
  readonly isNeeded: boolean;
  readonly by: string;
  readonly names: readonly string[];
}

const listNeeds = (setUp: SetUp): readonly Need[] => {
  const { settings } = setUp;
  const vectors = settings.cache?.semantic?.url;
  const needsMetrics = settings.metrics !== undefined && settings.metrics !== false;
  return [
    { isNeeded: isPostgres(storeUrl(setUp)), by: 'The store in PostgreSQL', names: ['pg'] },
    { isNeeded: vectors !== undefined, by: '"cache.semantic.url"', names: ['pg'] },
    { isNeeded: needsMetrics, by: '"metrics"', names: ['prom-client'] },
  ];
};

const telemetryProblem = async (setUp: SetUp): Promise<readonly Finding[]> => {
  if (setUp.settings.telemetry === undefined) return [];
  const { resolvePackages } = await import('../../../../plugins/telemetry/otlp/export/packages.ts');
  try {
    resolvePackages();
    return [];
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'MissingPackage') throw error;
    return [{ severity: 'error', subject: '"telemetry"', ...splitAdvice(error.message) }];
  }
};

/** Reports the packages that settings need but that are not installed. */
export const missingPackages = (setUp: SetUp, resolve: ResolvePackage): readonly Finding[] =>
  listNeeds(setUp).flatMap(({ isNeeded, by, names }) => {
    const missing = names.filter((name) => {
      try {
        resolve(name);
        return false;
      } catch {
        return true;
      }
    });
    if (!isNeeded || missing.length === 0) return [];
    return [
      {
        severity: 'error',
        subject: by.startsWith('"') ? by : 'store',
        what: `${by} needs the package ${missing.join(' and ')}, which is not installed.`,
        remedy: `Run: npm install ${missing.join(' ')}`,
      },
    ];
  });

export const packages: Check = {
  id: 'packages',
  description: 'packages that settings need and that operators install: pg, prom-client, those of OpenTelemetry',
  run: async (setUp) => [
    ...missingPackages(setUp, (name) => import.meta.resolve(name)),
    ...(await telemetryProblem(setUp)),
  ],
};
