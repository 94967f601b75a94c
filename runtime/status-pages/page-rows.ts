/**
 * The callers that may see a page. `anyone`: every caller. `known`: callers without a service key see less. `scoped`: with
 * service keys, callers whose key has a scope.
 */
export type PageReaders = 'anyone' | 'known' | 'scoped';

export type PagePath = '/livez' | '/readyz' | '/metrics';

/** A page of the gateway itself, at its root. */
export interface PageRow {
  readonly path: PagePath;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly type: 'text/plain' | 'application/json';
  /** The statuses of its answers, with their meanings. */
  readonly answers: Readonly<Record<number, string>>;
  readonly readers: PageReaders;
}

/** The pages that describe the state of the gateway, independent of its plans. */
export const pageRows: readonly PageRow[] = [
  {
    path: '/livez',
    operationId: 'read_liveness',
    summary: 'Reports that the process is alive.',
    description: 'For a probe that restarts a process that does not answer.',
    type: 'text/plain',
    answers: { 200: 'The process is alive.' },
    readers: 'anyone',
  },
  {
    path: '/readyz',
    operationId: 'read_readiness',
    summary: 'Reports whether new requests should be sent to this process.',
    description:
      "For a load balancer's probe. Unknown callers see only the status. Others also see which plans are served, and what was refused.",
    type: 'application/json',
    answers: {
      200: 'It is `ready`, or `degraded` but still serving.',
      503: 'It is `not-ready`, because it serves no plan, or `draining`.',
    },
    readers: 'known',
  },
  {
    path: '/metrics',
    operationId: 'read_metrics',
    summary: "Returns the process's metrics for Prometheus.",
    description:
      'If the gateway file configures metrics without a separate port. If the gateway has service keys, the key needs the scope `metrics.read`.',
    type: 'text/plain',
    answers: { 200: "Metrics in Prometheus' text format." },
    readers: 'scoped',
  },
];
