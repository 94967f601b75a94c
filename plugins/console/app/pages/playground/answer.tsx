import { may } from '../../api/session.ts';
import { toDuration, toInteger, toMoney } from '../../components/formats.ts';
import { SafeText } from '../../components/safe-text.tsx';
import { Badge, Stat } from '../../components/small.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { toHref } from '../../router/router.ts';
import { texts } from '../../texts/playground.ts';
import { unitTexts } from '../../texts/units.ts';
import type { Exchange } from './send.ts';
import { readAttempts, type TrailAttempt, toCause } from './trail.ts';

/** The state of a side. */
export type SideState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'sending'; readonly exchange?: Exchange | undefined }
  | { readonly kind: 'stopped'; readonly exchange?: Exchange | undefined }
  | { readonly kind: 'unreached'; readonly message: string }
  | { readonly kind: 'answered'; readonly exchange: Exchange };

const attemptColumns = [
  { title: texts.attemptColumns.target, cell: ({ place }: TrailAttempt) => <SafeText text={place} /> },
  {
    title: texts.attemptColumns.status,
    cell: ({ status }: TrailAttempt) => <Badge tone={status.startsWith('2') ? 'good' : 'bad'}>{status}</Badge>,
  },
  {
    title: texts.attemptColumns.error,
    cell: ({ error }: TrailAttempt) => <SafeText text={error === '' ? '–' : error} />,
  },
  { title: texts.attemptColumns.ms, cell: ({ ms }: TrailAttempt) => (ms === '' ? '–' : ms), isNumber: true },
];

const Failure = ({ exchange }: { readonly exchange: Exchange }) => {
  const { status, answer } = exchange;
  if (answer.error === undefined) return null;
  const isPartial = answer.text !== '' || status < 400;
  return (
    <div class="playground-failure" role="alert">
      <h3>{isPartial ? texts.incompleteTitle : texts.failedTitle}</h3>
      <p>
        <SafeText text={answer.error.message} />
      </p>
      {status >= 400 && <p class="muted">{texts.causes[toCause(status)]}</p>}
      {answer.error.code !== '' && (
        <p class="muted">
          <code>
            <SafeText text={answer.error.code} />
          </code>
        </p>
      )}
    </div>
  );
};

const Figures = ({ exchange: { status, ms, firstMs, answer, trail } }: { readonly exchange: Exchange }) => (
  <div class="playground-figures">
    <Stat
      label={texts.stats.status}
      value={<Badge tone={status < 400 && answer.error === undefined ? 'good' : 'bad'}>{status}</Badge>}
    />
    <Stat label={texts.stats.total} value={toDuration(ms)} />
    {firstMs !== undefined && <Stat label={texts.stats.first} value={toDuration(firstMs)} />}
    {trail.overheadMs !== '' && <Stat label={texts.stats.overhead} value={unitTexts.milliseconds(trail.overheadMs)} />}
    {answer.inputTokens !== undefined && <Stat label={texts.stats.input} value={toInteger(answer.inputTokens)} />}
    {answer.outputTokens !== undefined && <Stat label={texts.stats.output} value={toInteger(answer.outputTokens)} />}
    {answer.cost !== undefined && <Stat label={texts.stats.cost} value={toMoney(answer.cost)} />}
    {trail.provider !== '' && <Stat label={texts.stats.provider} value={<SafeText text={trail.provider} />} />}
  </div>
);

const Said = ({ exchange: { answer } }: { readonly exchange: Exchange }) => (
  <>
    {answer.reasoning !== '' && (
      <details>
        <summary>{texts.reasoning}</summary>
        <div class="playground-text muted">
          <SafeText text={answer.reasoning} />
        </div>
      </details>
    )}
    {answer.text !== '' && (
      <div class="playground-text">
        <SafeText text={answer.text} />
      </div>
    )}
    {answer.calls.length > 0 && (
      <div>
        <h3>{texts.calls}</h3>
        <ul class="playground-calls">
          {answer.calls.map(({ name, arguments: given }, at) => (
            <li key={`${at}`}>
              <code>
                <SafeText text={`${name}(${given})`} />
              </code>
            </li>
          ))}
        </ul>
      </div>
    )}
  </>
);

const statusText = (state: SideState): string => {
  if (state.kind === 'sending') return state.exchange === undefined ? texts.waiting : texts.arriving;
  if (state.kind === 'stopped') return texts.stopped;
  return state.kind === 'answered' && state.exchange.answer.error === undefined ? texts.done : '';
};

/** An answer as it arrives, with its figures, its attempts and a link to its record in the log. */
export const AnswerView = ({ state }: { readonly state: SideState }) => {
  const exchange = 'exchange' in state ? state.exchange : undefined;
  const attempts = exchange === undefined ? [] : readAttempts(exchange.trail.attempts);
  return (
    <div class="stack">
      <p class="muted" aria-live="polite">
        {statusText(state)}
      </p>
      {state.kind === 'idle' && <EmptyState title={texts.noAnswer} hint={texts.noAnswerHint} />}
      {state.kind === 'unreached' && (
        <div class="playground-failure" role="alert">
          <h3>{texts.failedTitle}</h3>
          <p>
            <SafeText text={state.message} />
          </p>
        </div>
      )}
      {exchange !== undefined && (
        <>
          <Failure exchange={exchange} />
          <Said exchange={exchange} />
          {state.kind === 'answered' &&
            exchange.answer.error === undefined &&
            exchange.answer.text === '' &&
            exchange.answer.calls.length === 0 && <p class="muted">{texts.nothingSaid}</p>}
          <Figures exchange={exchange} />
          {attempts.length > 0 && (
            <Table
              caption={texts.attempts}
              columns={attemptColumns}
              rows={attempts}
              rowKey={(attempt) => `${attempts.indexOf(attempt)}`}
            />
          )}
          {exchange.trail.traceId !== '' && may('logs.view') && (
            <a href={toHref(`/requests/${encodeURIComponent(exchange.trail.traceId)}`)}>{texts.toRequest}</a>
          )}
        </>
      )}
    </div>
  );
};
