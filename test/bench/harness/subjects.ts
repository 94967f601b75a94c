import {
  type ConfigFor,
  cached,
  nested,
  type Ports,
  single,
  threeChecks,
  type WrittenConfigs,
  windowed,
  writeGatewayFile,
} from './configs.ts';
import { startFlags } from './serve-args.ts';
import { bare, headerConfig, type Subject, savedConfig } from './subject.ts';

/** The file configs that these subjects need. */
export const subjectConfigs: Readonly<Record<string, ConfigFor>> = { nested, single };

/**
 * All subjects: two bare proxies; gateways with header configs, one of them started like `npm start` and one built into a folder;
 * and gateways with the nested config as a plan and as a file.
 */
export const subjects = (
  ports: Ports,
  files: { readonly gatewayFile: string; readonly plans: string; readonly installed: string },
): readonly Subject[] => [
  bare('bare', { port: ports.first, ports }),
  bare('bare, no parsing', { port: ports.first + 1, ports, parses: false }),
  headerConfig('single (header)', ports.first + 2, { ports, config: single }),
  headerConfig('nested (header)', ports.first + 3, { ports, config: nested }),
  headerConfig('single, as npm start', ports.first + 6, { ports, config: single, flags: startFlags() }),
  headerConfig('single, as installed', ports.first + 7, { ports, config: single, checkout: files.installed }),
  savedConfig('nested (plan)', ports.first + 4, { args: ['--plans', files.plans] }),
  savedConfig('nested (configs folder)', ports.first + 5, { args: ['--config', files.gatewayFile] }),
];

/** The bare proxy, this checkout and another one, to show the cost of a change. */
export const comparedSubjects = (ports: Ports, checkout: string): readonly Subject[] => [
  bare('bare', { port: ports.first, ports }),
  headerConfig('single, the other checkout', ports.first + 1, { ports, config: single, checkout }),
  headerConfig('single', ports.first + 2, { ports, config: single }),
  headerConfig('single as npm start, the other checkout', ports.first + 3, {
    ports,
    config: single,
    flags: startFlags(),
    checkout,
  }),
  headerConfig('single, as npm start', ports.first + 4, { ports, config: single, flags: startFlags() }),
];

/** The bare proxy, and a target without checks, with checks, and with a cache, to show the cost of each. */
export const guardedSubjects = (ports: Ports): readonly Subject[] => [
  bare('bare', { port: ports.first, ports }),
  headerConfig('single', ports.first + 1, { ports, config: single }),
  headerConfig('three checks', ports.first + 2, { ports, config: threeChecks }),
  headerConfig('a check of streams', ports.first + 3, { ports, config: windowed }),
  headerConfig('a cache', ports.first + 4, { ports, config: cached }),
];

/** The bare proxy, and a target of a gateway file without and with metrics and traces, for clients that send trace context. */
export const observedSubjects = (ports: Ports, { folder }: Pick<WrittenConfigs, 'folder'>): readonly Subject[] => {
  const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331';
  const telemetry = { otlp: { url: `http://127.0.0.1:${ports.receiver}` }, metrics: false };
  const subject = (name: string, at: number, settings: object, flags: '00' | '01' = '01'): Subject => {
    const file = writeGatewayFile(folder, `observed-${at}`, { configs: 'configs', ...settings });
    const headers = { traceparent: `${parent}-${flags}` };
    return savedConfig(name, ports.first + at, { args: ['--config', file], config: 'single', headers });
  };
  const traces = subject('traces', 4, { telemetry });
  const { path: at, headers } = traces.route('');
  return [
    bare('bare', { port: ports.first, ports }),
    subject('single', 1, {}),
    subject('metrics', 2, { metrics: true }),
    subject('metrics of all tokens', 3, { metrics: { tokens: true } }),
    { ...traces, untraced: { path: at, headers: { ...headers, traceparent: `${parent}-00` } } },
    subject('traces, unsampled', 5, { telemetry }, '00'),
  ];
};
