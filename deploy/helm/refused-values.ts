import type { JsonObject } from '../../schema/json/json.ts';
import { referencePattern } from './secret-members.ts';

/** Values that helm refuses when they are added to those of a gateway. */
export interface RefusedValues {
  readonly values: JsonObject;
  /** The message of a validator of `values.schema.json`; absent if a template refuses the values. */
  readonly schema?: string;
  /** Part of helm's message, or the whole sentence of the template. */
  readonly helm: string;
}

const bySchema = (values: JsonObject, schema: string, helm: string): RefusedValues => ({ values, schema, helm });

const byTemplate = (values: JsonObject, helm: string): RefusedValues => ({ values, helm });

const unknown = 'must NOT have additional properties';
const notReference = `must match pattern "${referencePattern}"`;

/**
 * The wrong values that `npm run deploy:helm` tries with helm. The tests try them with the schema alone, because they have no
 * helm. What depends on several values at once is refused by templates, with a sentence that says what to do.
 */
export const refusedValues: readonly RefusedValues[] = [
  bySchema({ replica: 3 }, ` ${unknown}`, 'replica'),
  bySchema({ gateway: null }, " must have required property 'gateway'", "missing property 'gateway'"),
  bySchema({ configs: null }, " must have required property 'configs'", "missing property 'configs'"),
  bySchema({ env: null }, " must have required property 'env'", "missing property 'env'"),
  bySchema(
    { metrics: { dashboard: null } },
    "/metrics must have required property 'dashboard'",
    "missing property 'dashboard'",
  ),
  bySchema(
    { fullnameOverride: 'My_Gateway' },
    '/fullnameOverride must match pattern "^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$"',
    'fullnameOverride',
  ),
  bySchema({ replicas: '3' }, '/replicas must be integer', 'replicas'),
  bySchema({ mode: 'pod' }, '/mode must be equal to one of the allowed values', 'mode'),
  bySchema({ mode: 'sidecar' }, '/sidecar/app/image must NOT have fewer than 1 characters', 'image'),
  bySchema({ image: { digest: 'abc' } }, '/image/digest must match pattern "^(sha256:[0-9a-f]{64})?$"', 'digest'),
  bySchema({ secrets: { env: [{ name: 'KEY', value: 'sk-1' }] } }, `/secrets/env/0 ${unknown}`, 'value'),
  bySchema(
    { secrets: { env: [{ name: 'KEY', secret: 's' }] } },
    "/secrets/env/0 must have required property 'key'",
    'key',
  ),
  bySchema({ env: { PORT: '9000' } }, '/env property name must be valid', 'PORT'),
  bySchema(
    { secrets: { env: [{ name: 'HOST', secret: 's', key: 'k' }] } },
    '/secrets/env/0/name must NOT be valid',
    'name',
  ),
  bySchema({ networkPolicy: { from: [] } }, '/networkPolicy/from must NOT have fewer than 1 items', 'from'),
  bySchema(
    { networkPolicy: { metricsFrom: [] } },
    '/networkPolicy/metricsFrom must NOT have fewer than 1 items',
    'metricsFrom',
  ),
  bySchema({ drain: { seconds: '30s' } }, '/drain/seconds must be integer', 'seconds'),
  bySchema({ metrics: { port: 8787 } }, '/metrics/port must NOT be valid', 'port'),
  bySchema({ autoscaling: { targetMilli: 60000 } }, '/autoscaling/targetMilli must be <= 1000', 'targetMilli'),
  bySchema({ gateway: { defaultConfig: 'chat' } }, `/gateway ${unknown}`, 'defaultConfig'),
  bySchema({ gateway: { auth: null } }, '/gateway/auth must be object', 'auth'),
  bySchema({ gateway: { auth: { keys: 'sk' } } }, '/gateway/auth/keys must be array', 'keys'),
  bySchema({ gateway: { listen: { port: '80' } } }, '/gateway/listen/port must be integer', 'port'),
  bySchema({ gateway: { configs: './configs' } }, '/gateway/configs must be equal to constant', 'configs'),
  bySchema({ gateway: { metrics: { host: '127.0.0.1' } } }, '/gateway/metrics/host must NOT be valid', 'host'),
  bySchema({ gateway: { metrics: { port: 80 } } }, '/gateway/metrics/port must be >= 1024', 'port'),
  bySchema({ gateway: { metrics: { port: 8787 } } }, '/gateway/metrics/port must NOT be valid', 'port'),
  bySchema({ configs: { chat: { provder: 'openai' } } }, `/configs/chat ${unknown}`, 'provder'),
  bySchema({ configs: { chat: { retries: 3 } } }, `/configs/chat ${unknown}`, 'retries'),
  bySchema(
    { configs: { chat: { targets: [{ retry: { attempts: '3' } }] } } },
    '/configs/chat/targets/0/retry/attempts must be integer',
    'attempts',
  ),
  bySchema({ configs: { 'a b': {} } }, '/configs must match pattern "^[A-Za-z0-9][A-Za-z0-9_-]*$"', 'a b'),
  bySchema(
    { configs: { chat: { api_key: 'sk-real-secret-123456' } } },
    `/configs/chat/api_key ${notReference}`,
    'api_key',
  ),
  bySchema(
    { configs: { chat: { input_guardrails: [{ 'lakera.guard': { credentials: { apiKey: 'sk-1' } } }] } } },
    `/configs/chat/input_guardrails/0/lakera.guard/credentials/apiKey ${notReference}`,
    'apiKey',
  ),
  byTemplate(
    { gateway: { auth: { keys: [] } } },
    'Nobody could call the gateway: list keys in gateway.auth.keys, as references to secrets, or name a store in gateway.store.url.',
  ),
  byTemplate(
    { persistence: { enabled: true } },
    'A store in a file is for one gateway: set replicas to 1 and autoscaling.enabled to false, or persistence.enabled to false and gateway.store.url to a PostgreSQL.',
  ),
  byTemplate(
    { gateway: { store: { url: '/var/lib/gatewright/gateway.db' } } },
    'A store in a file is lost with its pod: set persistence.enabled to true and replicas to 1, or gateway.store.url to a PostgreSQL.',
  ),
  byTemplate(
    { gateway: { default_config: 'chta' } },
    'gateway.default_config is chta, and configs has none of that name: add it there, or name one that it has.',
  ),
  byTemplate(
    { gateway: { models: { fast: 'config:fst' } } },
    'gateway.models.fast stands for the config fst, and configs has none of that name: add it there, or name one that it has.',
  ),
  byTemplate(
    { gateway: { trusted_authorities: '${env:OWN_CA}' } },
    'gateway or configs refer to ${env:OWN_CA}, and the pod has no variable OWN_CA: list it in secrets.env with the Secret that has it, or in env if it is no secret.',
  ),
  byTemplate(
    { configs: { chat: { provider: 'openai', api_key: '${file:/run/secrets/own/key}' } } },
    'gateway or configs refer to ${file:/run/secrets/own/…}, and the pod has no such folder: list the Secret in secrets.files, as { secret: own }.',
  ),
  byTemplate(
    { gateway: { store: { url: 'postgres://db/gatewright' } } },
    'A store in PostgreSQL needs a master key, with which it seals credentials: list GW_MASTER_KEY in secrets.env with the Secret that has it, or set gateway.store.master_key.',
  ),
  byTemplate(
    { env: { GW_SERVICE_KEY: 'some' } },
    'The pod would have the variable GW_SERVICE_KEY twice: list it once, in secrets.env if it is a secret, and else in env.',
  ),
  byTemplate(
    { secrets: { files: [{ secret: 'own' }, { secret: 'own' }] } },
    'secrets.files has the Secret own twice: list it once, which mounts all of its keys.',
  ),
  byTemplate(
    { metrics: { enabled: false, serviceMonitor: { enabled: true } } },
    'metrics.serviceMonitor.enabled is true, and the gateway has no metrics: set metrics.enabled to true, and gateway.metrics too if it is there.',
  ),
  byTemplate(
    { commonLabels: { 'app.kubernetes.io/name': 'own' } },
    'commonLabels cannot have app.kubernetes.io/name, which the chart sets: leave it out, and name the release or nameOverride as you need.',
  ),
  byTemplate(
    { autoscaling: { enabled: true, minReplicas: 5, maxReplicas: 2 } },
    'autoscaling.minReplicas is 5, and maxReplicas 2: write a maxReplicas that is at least as large.',
  ),
  byTemplate(
    { drain: { seconds: 5, delaySeconds: 5 } },
    'drain.delaySeconds (5) must be less than drain.seconds (5), which includes it: the rest is the time for the last requests.',
  ),
  ...['from', 'metricsFrom'].map((name) =>
    byTemplate(
      { networkPolicy: { [name]: null } },
      `networkPolicy.${name} is null, by which Kubernetes lets everybody in: list who may connect, or set networkPolicy.enabled to false.`,
    ),
  ),
  ...[
    [
      { autoscaling: { enabled: true } },
      'autoscaling.enabled is true in the mode sidecar, whose gateways run in the pods of the application: set it to false, and scale the application itself.',
    ] as const,
    [
      { metrics: { serviceMonitor: { enabled: true } } },
      'metrics.serviceMonitor.enabled is true in the mode sidecar, which has no Service: set it to false, and select the pods with a PodMonitor of your own.',
    ] as const,
  ].map(([values, helm]) => byTemplate({ ...values, mode: 'sidecar', sidecar: { app: { image: 'app' } } }, helm)),
  ...[8787, 9464].map((containerPort) =>
    byTemplate(
      { mode: 'sidecar', sidecar: { app: { image: 'app', ports: [{ containerPort }] } } },
      `sidecar.app.ports has ${containerPort}, at which the gateway in the same pod listens: have the application listen at another port.`,
    ),
  ),
];
