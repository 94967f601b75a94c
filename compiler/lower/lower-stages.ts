import { isNonEmpty } from '../../schema/json.ts';
import type { CheckHook, Stage } from '../../schema/plan.ts';
import { defaultRetryCodes } from '../../schema/status.ts';
import type { IrCheck, IrHook } from '../ir/ir-hook.ts';
import type { Settings } from '../ir/ir-node.ts';
import { statusCodes } from './status-codes.ts';

/** How long an answer is kept where the cache does not say: seven days, in seconds. */
const defaultMaxAgeS = 604_800;

const checkCall = ({ name, id, parameters, valid, failOnError, timeoutMs }: IrCheck): CheckHook['checks'][number] => ({
  check: name,
  id,
  parameters: valid ?? parameters,
  failOnError,
  ...(timeoutMs === undefined ? {} : { timeoutMs }),
});

const checkHook = ({ id, type, async, deny, feedback, checks }: IrHook): CheckHook => ({
  id,
  type,
  async,
  deny,
  feedback,
  checks: checks.map(checkCall),
});

const breaker = ({ cb_config: config }: Settings): readonly Stage[] =>
  config === undefined
    ? []
    : [
        {
          kind: 'breaker',
          threshold: Math.ceil(config.value.failure_threshold),
          cooldownMs: Math.ceil(config.value.cooldown_interval),
          failures:
            config.value.failure_status_codes === undefined
              ? { kind: 'breaker-default' }
              : { kind: 'codes', codes: statusCodes(config.value.failure_status_codes) },
        },
      ];

const checks = (kind: 'input-checks' | 'output-checks', hooks: readonly IrHook[] | undefined): readonly Stage[] => {
  const lowered = (hooks ?? []).map(checkHook);
  return isNonEmpty(lowered) ? [{ kind, hooks: lowered }] : [];
};

const cache = ({ cache: config }: Settings): readonly Stage[] =>
  config === undefined
    ? []
    : [{ kind: 'cache', mode: config.value.mode, maxAgeS: config.value.max_age ?? defaultMaxAgeS }];

const retry = ({ retry: config }: Settings): readonly Stage[] => {
  if (config === undefined || config.value.attempts === 0) return [];
  const { attempts, on_status_codes: on, use_retry_after_headers: useRetryAfter = false } = config.value;
  return [{ kind: 'retry', attempts, on: statusCodes(on ?? defaultRetryCodes), useRetryAfter }];
};

/** What surrounds a leaf's attempts, outside in, in `stageOrder`. What is not configured is not there. */
export const lowerStages = (settings: Settings): readonly Stage[] => [
  ...breaker(settings),
  ...checks('input-checks', settings.inputHooks?.value),
  ...cache(settings),
  ...retry(settings),
  ...checks('output-checks', settings.outputHooks?.value),
];
