import { type Ports, type Traffic, target } from '../harness/configs.ts';
import { chatRequest } from '../harness/payloads.ts';

export interface Way {
  readonly name: string;
  /** The way to compare it with; `weight` if absent. */
  readonly base?: Way;
  readonly strategy?: object;
  readonly root?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** The percentage of requests that are mirrored; no mirror if absent. */
  readonly mirrorPercent?: number;
  /** Further members of each target; two targets if absent. */
  readonly targets?: readonly object[];
  /** The request body; a text-only question if absent. */
  readonly body?: string;
  /** Whether answers are streams with a chunk every 5 ms. If so, the cost is per chunk and not per request. */
  readonly isStream?: true;
}

const circuit = { failure_threshold: 5, cooldown_interval: 30_000 };

const tool = (name: string): object => ({
  type: 'function',
  function: {
    name,
    description: 'Finds a bridge by its town.',
    parameters: { type: 'object', properties: { town: { type: 'string' } }, required: ['town'] },
  },
});

const keys = ['first', 'second', 'third'].map((name) => ({ api_key: `bench-${name}-key` }));

/** A load balance by weight over two targets. */
export const weight: Way = { name: 'weight' };
const withTools: Way = {
  name: 'weight (tools in the request)',
  body: JSON.stringify({ ...JSON.parse(chatRequest()), tools: [tool('find_bridge'), tool('find_tower')] }),
};
const fallback: Way = { name: 'fallback', strategy: { mode: 'fallback' } };
const fallbackStream: Way = { ...fallback, name: 'fallback (a chunk)', isStream: true };
const goesOn = { mode: 'fallback', continue: true };
const oneKey: Way = { name: 'one key', targets: [{ name: 'one', api_key: 'bench-first-key' }] };
/** A condition on a member of the body, which requires that the request is parsed. */
const reading = {
  mode: 'conditional',
  conditions: [{ query: { 'params.model': 'none' }, then: 'one' }],
  default: 'other',
};

export const ways: readonly Way[] = [
  // The base once more, to show by how much two measurements of the same way differ.
  { name: 'weight again' },
  { name: 'a condition on the body', strategy: reading },
  { ...withTools, name: 'a condition on the body (tools in the request)', strategy: reading, base: withTools },
  ...['latency', 'least-busy', 'headroom', 'price'].map((balance) => ({ name: balance, strategy: { balance } })),
  ...['metadata.session', 'user', 'prompt-prefix'].map((by) => ({
    name: `sticky by ${by}`,
    strategy: { sticky: { by } },
  })),
  { name: 'require', strategy: { require: 'capabilities' } },
  { ...withTools, name: 'require (tools in the request)', strategy: { require: 'capabilities' }, base: withTools },
  fallback,
  { name: 'continue', strategy: goesOn, base: fallback },
  { name: 'continue (a chunk)', strategy: goesOn, isStream: true, base: fallbackStream },
  { name: 'three keys', targets: [{ name: 'one', keys, api_key: undefined }], base: oneKey },
  { name: 'fallback hedged', strategy: { mode: 'fallback', hedge: { after_ms: 30_000 } } },
  { name: 'cb_config', root: { cb_config: circuit } },
  { name: 'breaker by model and error', root: { cb_config: circuit, breaker: { by: ['model', 'error'] } } },
  { name: 'deadline_ms', root: { deadline_ms: 30_000 } },
  { name: 'max_cost_usd', root: { max_cost_usd: 1 } },
  // Almost nothing is mirrored, because a mirrored request costs as much as any other. This measures the cost of drawing.
  { name: 'mirror', mirrorPercent: 0.0001 },
  { name: 'x-gw-usage', headers: { 'x-gw-usage': 'true' } },
];

/** Returns the kind of traffic that a way needs. */
const trafficOf = ({ isStream }: Way): Traffic => (isStream === true ? '/paced' : '');

/** Returns the config of a way, with targets at a benchmark's upstream. */
export const configOf = (way: Way, ports: Pick<Ports, 'upstream'>): object => {
  const { strategy = {}, root = {}, mirrorPercent, targets = [{ name: 'one' }, { name: 'other' }] } = way;
  const at = (more: object): object => target(ports, trafficOf(way), more);
  return {
    ...root,
    ...(mirrorPercent === undefined ? {} : { mirror: { target: at({ name: 'copy' }), percent: mirrorPercent } }),
    strategy: { mode: 'loadbalance', ...strategy },
    targets: targets.map(at),
  };
};
