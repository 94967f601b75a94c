import { planFormat, type RoutingPlan, type SecretRef } from '../../schema/plan.ts';
import type { Names } from './names.ts';

/** What plans may ask for beyond the first format. */
const knownFeatures: ReadonlySet<string> = new Set(['breaker', 'input-checks', 'retry', 'output-checks']);

const secretProblem = (ref: SecretRef): string =>
  ref.startsWith('${file:')
    ? `The secret ${ref} is missing: there is no such file, or it cannot be read, or it is empty.`
    : `The secret ${ref} is missing.`;

/** Everything a plan needs and this gateway lacks, a sentence each. */
export const planProblems = (
  { format, requires }: RoutingPlan,
  names: Names,
  secrets: (ref: SecretRef) => string | undefined,
): readonly string[] => {
  if (format !== planFormat) return [`It has format ${String(format)}, and this gateway runs format ${planFormat}.`];
  const { features, plugins } = requires;
  return [
    ...features.filter((name) => !knownFeatures.has(name)).map((name) => `The feature "${name}" is not known here.`),
    ...plugins.providers
      .filter((id) => names.provider(id) === undefined)
      .map((id) => `No plugin provides the provider "${id}".`),
    ...plugins.checks.filter((id) => names.check(id) === undefined).map((id) => `No plugin has the check "${id}".`),
    ...plugins.caches.map((mode) => `No plugin has a cache of the mode "${mode}".`),
    ...requires.secrets.filter((ref) => secrets(ref) === undefined).map(secretProblem),
  ];
};
