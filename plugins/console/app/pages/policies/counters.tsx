import { put } from '../../api/client.ts';
import { asApiError } from '../../api/error.ts';
import { useKeyNames } from '../../api/key-names.ts';
import { useLoaded, usePolling } from '../../api/load.ts';
import type { KeyNames } from '../../api/name-keys.ts';
import { readWholeList } from '../../api/pages.ts';
import { may } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Meter } from '../../components/meter.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { Badge } from '../../components/small.tsx';
import { Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { showError, showToast } from '../../components/toast.tsx';
import { texts } from '../../texts/policies.ts';
import { describeAmount, describeCounter, describeUsed } from './describe.ts';
import { forecast } from './forecast.ts';
import { type Counter, type Policy, policyLimit, policyPath } from './policy.ts';

const pollMs = 3000;
const shownCounters = 10;

const Pace = ({ policy, used }: { readonly policy: Policy; readonly used: number }) => {
  if (policy.object !== 'policy_usage_limits') return null;
  const found = forecast({
    used,
    limit: policy.credit_limit,
    since: Date.parse(policy.last_reset_at ?? policy.created_at),
    resetsAt: policy.next_usage_reset_at === null ? undefined : Date.parse(policy.next_usage_reset_at),
    now: Date.now(),
  });
  if (found.status === 'lasts') return <span class="muted">{texts.lasts}</span>;
  if (found.status !== 'used-up-at') return null;
  return (
    <span class="muted">
      {texts.usedUpAround} <Time seconds={found.at / 1000} isRelative />
    </span>
  );
};

interface CountersProps {
  readonly policy: Policy;
}

const CounterRow = ({
  policy,
  names,
  counter,
  onReset,
}: CountersProps & { readonly names: KeyNames; readonly counter: Counter; readonly onReset: () => void }) => {
  const limit = policyLimit(policy);
  const used = counter.current_usage;
  const name = describeCounter(counter.value_key, policy, names);
  const text = describeUsed(policy, used, limit);
  const reset = async (): Promise<void> => {
    try {
      await put(`${policyPath(policy)}/entities/${encodeURIComponent(counter.id)}/reset`);
      showToast(texts.resetDone(name));
      onReset();
    } catch (thrown) {
      showError(asApiError(thrown));
    }
  };
  return (
    <li class="counter">
      <div class="counter-head">
        <span class="counter-name">
          <SafeText text={name} />
        </span>
        <span class="counter-used">{text}</span>
      </div>
      <Meter
        label={name}
        used={used}
        limit={limit}
        text={text}
        warnFrom={policy.object === 'policy_usage_limits' ? (policy.alert_threshold ?? undefined) : undefined}
      />
      <div class="counter-foot">
        {used >= limit ? (
          <Badge tone="bad">{texts.usedUp}</Badge>
        ) : (
          <span>{texts.left(describeAmount(policy, limit - used))}</span>
        )}
        <Pace policy={policy} used={used} />
        {may('policies.update') && used > 0 && (
          <Button size="small" kind="ghost" label={texts.resetOf(name)} onClick={reset}>
            {texts.reset}
          </Button>
        )}
      </div>
    </li>
  );
};

const mostUsed = (counters: readonly Counter[]): readonly Counter[] =>
  [...counters].sort((one, other) => other.current_usage - one.current_usage).slice(0, shownCounters);

/** The counters of a policy, the most used first, read again every few seconds. */
export const Counters = ({ policy }: CountersProps) => {
  const path = `${policyPath(policy)}/entities`;
  // The gateway sorts counters by name, so all are read to find the most used.
  const loader = useLoaded((signal) => readWholeList<Counter>(path, { signal }), [path]);
  const { state, reload } = loader;
  usePolling(loader, pollMs);
  const now = state.value;
  const shown = now.status === 'ready' ? mostUsed(now.value.data) : [];
  const names = useKeyNames(shown.map(({ value_key }) => value_key));
  return (
    <Loaded state={state} retry={reload}>
      {({ data, total }) => {
        if (shown.length === 0) return <p class="muted">{texts.noCounters}</p>;
        return (
          <>
            <ul class="counters" aria-label={texts.counters(policy.name ?? texts.unnamed)}>
              {shown.map((counter) => (
                <CounterRow key={counter.id} policy={policy} names={names} counter={counter} onReset={reload} />
              ))}
            </ul>
            {total > shown.length && <p class="muted">{texts.more(total - shown.length)}</p>}
            {total > data.length && <p class="muted">{texts.firstCounters(data.length)}</p>}
          </>
        );
      }}
    </Loaded>
  );
};
