import type { Config } from '../../schema/generated/config.ts';
import { defaultRetryCodes } from '../../schema/http/status.ts';
import { isNonEmpty } from '../../schema/json/json.ts';
import {
  type BreakerStage,
  type CheckCall,
  type CheckHook,
  type CircuitDivision,
  circuitDivisions,
  type InputChecksStage,
  type Probe,
  type Stage,
  type StageKind,
  type StageOf,
  stageOrder,
} from '../../schema/plan/plan.ts';
import type { IrCheck, IrHook } from '../resolve/tree/ir-hook.ts';
import type { Settings } from '../resolve/tree/ir-node.ts';
import { type Lift, liftSaved, secretValue } from './lift.ts';
import { statusCodes } from './status-codes.ts';

/** How long an answer is stored if the cache does not specify it: seven days, in seconds. */
const defaultMaxAgeS = 604_800;

const toSecrets = ({ secrets }: IrCheck, lift: Lift): Pick<CheckCall, 'secrets'> =>
  secrets.size === 0
    ? {}
    : { secrets: Object.fromEntries([...secrets].map(([at, secret]) => [at, secretValue(secret, lift)])) };

const checkCall = (check: IrCheck, lift: Lift): CheckCall => {
  const { name, id, parameters, valid, failOnError, timeoutMs, retries } = check;
  return {
    check: name,
    id,
    parameters: valid ?? parameters,
    ...toSecrets(check, lift),
    failOnError,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(retries === undefined ? {} : { retries }),
  };
};

const checkHook = (
  { id, type, async, sequential, deny, feedback, checks, savedAs }: IrHook,
  lift: Lift,
): CheckHook => ({
  id,
  type,
  async,
  ...(sequential === true ? { sequential } : {}),
  deny,
  feedback,
  checks: checks.map((check) => checkCall(check, savedAs === undefined ? lift : liftSaved(lift))),
});

const findHooks = (stated: Settings['inputHooks'], lift: Lift): InputChecksStage['hooks'] | undefined => {
  const hooks = (stated?.value ?? []).map((hook) => checkHook(hook, lift));
  return isNonEmpty(hooks) ? hooks : undefined;
};

const defaultProbeMs = 10_000;

const toProbe = ({ path, every_ms: everyMs = defaultProbeMs }: NonNullable<Config['probe']>): Probe => ({
  path,
  everyMs,
});

/** Returns the divisions of circuits in a fixed order, however they were written. */
const toDivisions = (stated: readonly CircuitDivision[] = []): Pick<BreakerStage, 'by'> => {
  const by = circuitDivisions.filter((division) => stated.includes(division));
  return isNonEmpty(by) ? { by } : {};
};

/** Builds each kind of stage from settings; undefined if it is not configured. */
const stages: { readonly [Kind in StageKind]: (settings: Settings, lift: Lift) => StageOf<Kind> | undefined } = {
  breaker({ cb_config: config, breaker: divided, probe }) {
    if (config === undefined) return undefined;
    const { failure_threshold: threshold, cooldown_interval: cooldown, failure_status_codes: codes } = config.value;
    return {
      kind: 'breaker',
      threshold: Math.ceil(threshold),
      cooldownMs: Math.ceil(cooldown),
      failures: codes === undefined ? { kind: 'breaker-default' } : { kind: 'codes', codes: statusCodes(codes) },
      ...toDivisions(divided?.value.by),
      ...(probe === undefined ? {} : { probe: toProbe(probe.value) }),
    };
  },
  'input-checks'({ inputHooks }, lift) {
    const hooks = findHooks(inputHooks, lift);
    return hooks && { kind: 'input-checks', hooks };
  },
  cache({ cache: config }) {
    if (config === undefined) return undefined;
    const { mode, max_age: maxAgeS } = config.value;
    return maxAgeS === undefined
      ? { kind: 'cache', mode, maxAgeS: defaultMaxAgeS, isDefaultAge: true }
      : { kind: 'cache', mode, maxAgeS };
  },
  retry({ retry: config }) {
    if (config === undefined || config.value.attempts === 0) return undefined;
    const { attempts, on_status_codes: on, use_retry_after_headers: useRetryAfter = false } = config.value;
    return { kind: 'retry', attempts, on: statusCodes(on ?? defaultRetryCodes), useRetryAfter };
  },
  'output-checks'({ outputHooks }, lift) {
    const hooks = findHooks(outputHooks, lift);
    return hooks && { kind: 'output-checks', hooks };
  },
};

/** Returns the stages around a leaf's attempts, from the outside in, without those that are not configured. */
export const lowerStages = (settings: Settings, lift: Lift): readonly Stage[] =>
  stageOrder.map((kind) => stages[kind](settings, lift)).filter((stage) => stage !== undefined);
