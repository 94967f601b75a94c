import { useSignal } from '@preact/signals';
import { useChange } from '../../api/change.ts';
import { post } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { Badge, Segments } from '../../components/small.tsx';
import { ErrorText } from '../../components/states.tsx';
import { texts } from '../../texts/guardrails.ts';

interface CheckResult {
  readonly id: string;
  readonly verdict: boolean;
  readonly transformed: boolean;
  readonly execution_time: number;
  readonly data: unknown;
  readonly error: string | null;
}

interface Trial {
  readonly passed: boolean;
  readonly denied: boolean;
  readonly text: string | null;
  readonly changed: boolean;
  readonly guardrails: readonly { readonly id: string; readonly checks: readonly CheckResult[] }[];
}

const CheckVerdict = ({ check }: { readonly check: CheckResult }) => {
  const { id, verdict, transformed, execution_time, data, error } = check;
  const explanation =
    typeof data === 'object' && data !== null && 'explanation' in data && typeof data.explanation === 'string'
      ? data.explanation
      : '';
  return (
    <li class="stack">
      <span class="row">
        <Badge tone={verdict ? 'good' : 'bad'}>{verdict ? texts.passed : texts.failed}</Badge>
        <code>
          <SafeText text={id} />
        </code>
        {transformed && <Badge tone="accent">{texts.transformed}</Badge>}
        <span class="muted">{texts.took(String(execution_time))}</span>
      </span>
      {explanation !== '' && <SafeText text={explanation} />}
      {error !== null && <SafeText text={error} />}
      {data !== null && (
        <details>
          <summary>{texts.data}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard. */}
          <pre class="guardrail-data" tabIndex={0}>
            <SafeText text={JSON.stringify(data, null, 2)} />
          </pre>
        </details>
      )}
    </li>
  );
};

const summary = ({ denied, passed, guardrails }: Trial): string => {
  if (denied) return texts.deniedText;
  if (guardrails.every(({ checks }) => checks.length === 0)) return texts.nothingRun;
  return passed ? texts.passedText : texts.failedText;
};

const Verdicts = ({ trial }: { readonly trial: Trial }) => (
  <div class="stack">
    <p>
      <Badge tone={trial.denied ? 'bad' : trial.passed ? 'good' : 'warning'}>
        {trial.denied ? texts.denied : trial.passed ? texts.passed : texts.failed}
      </Badge>{' '}
      {summary(trial)}
    </p>
    <ul class="guardrail-verdicts">
      {trial.guardrails.flatMap(({ id, checks }) =>
        checks.map((check, at) => <CheckVerdict key={`${id} ${at}`} check={check} />),
      )}
    </ul>
    {trial.changed && trial.text !== null && (
      <div>
        <h3>{texts.changedTitle}</h3>
        <div class="guardrail-text">
          <SafeText text={trial.text} />
        </div>
      </div>
    )}
  </div>
);

/** A form that runs checks on a text. `toBody` returns the guardrail, saved or not, or undefined if it is invalid. */
export const TryGuardrail = ({ toBody }: { readonly toBody: () => object | undefined }) => {
  const text = useSignal('');
  const as = useSignal<'request' | 'answer'>('request');
  const trial = useSignal<Trial | undefined>(undefined);
  const { isBusy, refusal: error, make } = useChange();
  const run = async (): Promise<void> => {
    const body = toBody();
    if (body === undefined || text.value === '' || isBusy.value) return;
    trial.value = undefined;
    await make(async () => {
      trial.value = await post<Trial>('/guardrails/try', { ...body, text: text.value, as: as.value });
    });
  };
  return (
    <div class="stack">
      <Field label={texts.text} hint={texts.textHint}>
        {(control) => (
          <textarea
            {...control}
            class="input"
            rows={4}
            maxLength={100_000}
            value={text.value}
            onInput={({ currentTarget }) => {
              text.value = currentTarget.value;
            }}
          />
        )}
      </Field>
      <div class="row">
        <Segments
          label={texts.as}
          value={as.value}
          onChange={(value) => {
            as.value = value;
          }}
          options={(['request', 'answer'] as const).map((value) => ({ value, text: texts.asOptions[value] }))}
        />
        <Button kind="primary" isBusy={isBusy.value} isDisabled={text.value === ''} onClick={() => void run()}>
          {texts.run}
        </Button>
      </div>
      <div aria-live="polite">
        {isBusy.value && <p class="muted">{texts.running}</p>}
        {error.value !== undefined && <ErrorText error={error.value} />}
        {trial.value !== undefined && <Verdicts trial={trial.value} />}
      </div>
    </div>
  );
};
