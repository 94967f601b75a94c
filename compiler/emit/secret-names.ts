import type { RoutingPlan } from '../../schema/plan.ts';

const environment = /^\$\{env:(.+)\}$/;

/** The environment variables that a plan's secrets are in, sorted. Files are not among them: the host has them or not. */
export const secretNames = ({ requires }: Pick<RoutingPlan, 'requires'>): readonly string[] =>
  requires.secrets.flatMap((ref) => environment.exec(ref)?.[1] ?? []).sort();
