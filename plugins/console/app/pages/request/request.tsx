import type { ComponentChildren } from 'preact';
import { useKeyNames } from '../../api/key-names.ts';
import { useLoaded } from '../../api/load.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { toDuration, toInteger, toMoney } from '../../components/formats.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { Badge, Card, Stat } from '../../components/small.tsx';
import { Loaded, Notice } from '../../components/states.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import type { PageProps } from '../../router/page.ts';
import { toHref } from '../../router/router.ts';
import { texts } from '../../texts/request.ts';
import { toUsd } from '../live/log-record.ts';
import { AttemptChart } from './attempt-chart.tsx';
import { loadRecord } from './load-record.ts';
import { ReplayCard } from './replay-card.tsx';
import './request.css';
import { hasRouteTest, toRouteTest, toRouteTestFile } from './route-test.ts';
import { cacheText } from './trail-texts.ts';
import { RequestRoute } from './way.tsx';
import type { Check, WholeRecord } from './whole-record.ts';

const { facts } = texts;

/** The most characters shown. Longer texts would make the page slow. */
const longestBody = 100_000;

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

const Body = ({ title, value }: { readonly title: string; readonly value: unknown }) => {
  const text = toText(value);
  return (
    <Card title={title}>
      <CodeBlock text={text.slice(0, longestBody)} />
      {text.length > longestBody && <p class="muted">{texts.cut(toInteger(longestBody), toInteger(text.length))}</p>}
    </Card>
  );
};

const Fact = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

const Facts = ({ record }: { readonly record: WholeRecord }) => {
  const keyNames = useKeyNames([record.key_id]);
  const texted: readonly (readonly [string, string | null | undefined])[] = [
    [facts.operation, record.operation],
    [facts.config, record.config],
    [facts.plan, record.plan],
    [facts.prompt, record.prompt_slug],
    [facts.cache, cacheText(record)],
    [facts.key, keyNames.get(record.key_id ?? '') ?? record.key_id],
    [facts.id, record.id],
    ...Object.entries(record.metadata).map(([name, text]) => [facts.label(name), text] as const),
  ];
  return (
    <Card>
      <dl class="request-facts">
        {texted.map(([name, text], at) =>
          text === null || text === undefined || text === '' ? null : (
            <Fact key={at} name={name}>
              <SafeText text={text} />
            </Fact>
          ),
        )}
        <Fact name={facts.trace}>
          <a href={toHref('/live', new URLSearchParams({ trace_id: record.trace_id }))}>
            <SafeText text={record.trace_id} />
          </a>
        </Fact>
      </dl>
    </Card>
  );
};

const Figures = ({ record }: { readonly record: WholeRecord }) => {
  const { model, requested_model: asked } = record;
  return (
    <div class="request-figures">
      <Stat
        label={facts.status}
        value={<Badge tone={record.is_success ? 'good' : 'bad'}>{record.status}</Badge>}
        hint={texts.ends[record.end]}
      />
      <Stat label={facts.duration} value={toDuration(record.ms)} />
      <Stat
        label={facts.tokens}
        value={toInteger(record.total_tokens)}
        hint={facts.tokensHint(toInteger(record.input_tokens), toInteger(record.output_tokens))}
      />
      {record.source === 'gateway' && (
        <Stat label={facts.attempts} value={toInteger(record.attempt_count)} hint={facts.attemptsHint(record)} />
      )}
      <Stat label={facts.cost} value={toMoney(toUsd(record))} />
      <Stat
        label={facts.model}
        value={<SafeText text={model ?? facts.none} />}
        {...(asked !== null && asked !== model ? { hint: <SafeText text={facts.asked(asked)} /> } : {})}
      />
      <Stat label={facts.provider} value={<SafeText text={record.slug ?? record.provider ?? facts.none} />} />
    </div>
  );
};

const Problem = ({ record: { problem, error } }: { readonly record: WholeRecord }) => {
  if (problem === null) return null;
  const { cause, target, path, about, hint } = problem;
  const where = [target, path, about].filter((text) => text !== undefined && text !== '').join(', ');
  return (
    <Card title={texts.problem.title}>
      <div class="stack">
        <p>
          <Badge tone="bad">
            <SafeText text={cause} />
          </Badge>{' '}
          {error !== undefined && <SafeText text={error} />}
        </p>
        {where !== '' && (
          <p class="muted">
            {texts.problem.where}: <SafeText text={where} />
          </p>
        )}
        {hint !== undefined && (
          <p>
            <strong>{texts.problem.remedy}:</strong> <SafeText text={hint} />
          </p>
        )}
      </div>
    </Card>
  );
};

const phases: Readonly<Record<string, string>> = texts.phases;

const checkColumns: readonly Column<Check>[] = [
  { title: texts.checks.id, cell: ({ id = facts.none }) => <SafeText text={id} /> },
  { title: texts.checks.phase, cell: ({ phase = '' }) => phases[phase] ?? <SafeText text={phase} /> },
  {
    title: texts.checks.verdict,
    cell: ({ verdict, checks = [] }) => {
      const erred = checks.filter((check) => check.erred === true);
      return (
        <>
          {(verdict === false || erred.length === 0) && (
            <Badge tone={verdict === false ? 'bad' : 'good'}>{verdict === false ? texts.failed : texts.passed}</Badge>
          )}
          {erred.length > 0 && (
            <>
              {' '}
              <Badge tone="warning">{texts.erred}</Badge> <SafeText text={erred.map(({ id }) => id).join(', ')} />
            </>
          )}
        </>
      );
    },
  },
  { title: texts.checks.denies, cell: ({ deny }) => (deny === true ? texts.checks.yes : texts.checks.no) },
];

const Checks = ({ record: { checks } }: { readonly record: WholeRecord }) =>
  checks.length === 0 ? null : (
    <Card title={texts.checks.title}>
      <Table
        caption={texts.checks.title}
        columns={checkColumns}
        rows={checks}
        rowKey={(check) => `${checks.indexOf(check)}`}
      />
    </Card>
  );

const Feedback = ({ record: { feedback = [] } }: { readonly record: WholeRecord }) =>
  feedback.length === 0 ? null : (
    <Card title={texts.feedback.title}>
      <Table
        caption={texts.feedback.title}
        columns={[
          { title: texts.feedback.value, cell: ({ value }) => value, isNumber: true },
          { title: texts.feedback.weight, cell: ({ weight }) => weight, isNumber: true },
        ]}
        rows={feedback}
        rowKey={({ id }) => id}
      />
    </Card>
  );

const Whole = ({ record }: { readonly record: WholeRecord }) => {
  const { headers, request, response } = record;
  const isServed = record.source === 'gateway';
  return (
    <div class="stack">
      {!isServed && <Notice>{texts.sentInHint}</Notice>}
      <Figures record={record} />
      <Problem record={record} />
      {isServed && <AttemptChart record={record} />}
      {isServed && (
        <Card title={texts.way.title}>
          <RequestRoute trail={record.trail} />
        </Card>
      )}
      <Checks record={record} />
      <Facts record={record} />
      {headers !== undefined && <Body title={texts.headers} value={headers} />}
      {request !== undefined && <Body title={texts.request} value={request.body} />}
      {response !== undefined && <Body title={texts.response} value={response.body} />}
      {request === undefined && response === undefined && <p class="muted">{texts.bodies.none}</p>}
      <Feedback record={record} />
      {isServed && <ReplayCard id={record.id} />}
      {isServed && hasRouteTest(record) && (
        <Card title={texts.routeTest.title}>
          <div class="stack">
            <p class="muted">{texts.routeTest.hint}</p>
            <p>
              <code>
                <SafeText text={toRouteTestFile(record)} />
              </code>
            </p>
            <CodeBlock text={toRouteTest(record)} />
          </div>
        </Card>
      )}
    </div>
  );
};

const RequestPage = ({ params: { id = '' } }: PageProps) => {
  const { state, reload } = useLoaded<WholeRecord>((signal) => loadRecord(id, signal), [id]);
  return (
    <>
      <PageHeader title={texts.title}>
        <a class="button" href={toHref('/live')}>
          {texts.back}
        </a>
      </PageHeader>
      <Loaded state={state} retry={reload}>
        {(record) => (
          <>
            <p class="request-line">
              <code>
                <SafeText text={`${record.method} ${record.path}`} />
              </code>{' '}
              <span class="muted">
                <Time seconds={record.created_at} />
              </span>
            </p>
            <Whole record={record} />
          </>
        )}
      </Loaded>
    </>
  );
};

export default RequestPage;
