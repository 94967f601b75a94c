import { useSignal } from '@preact/signals';
import { useKeyNames } from '../../api/key-names.ts';
import { useLoaded } from '../../api/load.ts';
import { nameKeys } from '../../api/name-keys.ts';
import { may, workspace } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { toInteger, toMoney } from '../../components/formats.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { Badge, Card, Stat } from '../../components/small.tsx';
import { Loaded } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { toHref } from '../../router/router.ts';
import { texts } from '../../texts/overview.ts';
import { CircuitTable } from '../plan/circuit-table.tsx';
import { toChange, toFigure } from '../usage/figures.ts';
import type { NearLimit } from './budgets.ts';
import {
  type Compared,
  type FailedRequest,
  type NearBudgets,
  readBudgets,
  readErrors,
  readOpenCircuits,
  readUsed,
  type Summary,
  type Used,
} from './read-overview.ts';
import './overview.css';

type Part = keyof Summary;

const changeOf = (
  { now, before }: Compared,
  part: Part,
  figure: string,
  say: (percent: string) => string = texts.change,
): string | undefined => {
  const change = toChange(now[part][figure], before[part][figure]);
  return change === undefined ? undefined : say(change);
};

const Figures = ({ figures: { last, today } }: { readonly figures: NonNullable<Used['figures']> }) => {
  const stat = (label: string, part: Part, figure: string, unit: Parameters<typeof toFigure>[1]) => (
    <Stat label={label} value={toFigure(last.now[part][figure], unit)} hint={changeOf(last, part, figure)} />
  );
  return (
    <div class="grid overview-figures">
      {stat(texts.requests, 'requests', 'total', 'count')}
      {stat(texts.errors, 'errors', 'rate', 'share')}
      {stat(texts.p95, 'latency', 'p95', 'ms')}
      <Stat
        label={texts.cost}
        value={toFigure(today.now.cost.total, 'usd')}
        hint={changeOf(today, 'cost', 'total', texts.changeToday)}
      />
      {stat(texts.saved, 'rescued', 'total', 'count')}
      {stat(texts.cache, 'cache_hit_rate', 'rate', 'share')}
    </div>
  );
};

const usedOf = ({ used, limit, type }: NearLimit): string => {
  const show = type === 'cost' ? toMoney : toInteger;
  return `${show(used)} / ${show(limit)}`;
};

const Budgets = ({ near, compared, total }: NearBudgets) => {
  const names = useKeyNames(near.map(({ who }) => who));
  return (
    <Card title={texts.budgets}>
      {near.length === 0 ? (
        <p class="muted">{texts.noBudgets}</p>
      ) : (
        <Table
          caption={texts.budgets}
          rows={near}
          rowKey={({ id }) => id}
          columns={[
            { title: texts.budget.name, cell: ({ name }: NearLimit) => <SafeText text={name} /> },
            {
              title: texts.budget.who,
              cell: ({ who }: NearLimit) => (
                <SafeText text={who === '' || who === '*' ? texts.everybody : nameKeys(who, names)} />
              ),
            },
            { title: texts.budget.used, cell: usedOf, isNumber: true },
            {
              title: texts.budget.share,
              cell: ({ used, limit }: NearLimit) =>
                used >= limit ? (
                  <Badge tone="bad">{texts.exhausted}</Badge>
                ) : (
                  <Badge tone="warning">{toFigure(used / limit, 'share')}</Badge>
                ),
            },
          ]}
        />
      )}
      {total > compared && <p class="muted">{texts.firstBudgets(toInteger(compared), toInteger(total))}</p>}
    </Card>
  );
};

const Errors = ({ errors }: { readonly errors: readonly FailedRequest[] }) => (
  <Card
    title={texts.latest}
    actions={<a href={toHref('/live', new URLSearchParams({ is_success: 'false' }))}>{texts.allErrors}</a>}
  >
    {errors.length === 0 ? (
      <p class="muted">{texts.noErrors}</p>
    ) : (
      <Table
        caption={texts.latest}
        rows={errors}
        rowKey={({ id }) => id}
        columns={[
          {
            title: texts.error.time,
            cell: ({ id, created_at }: FailedRequest) => (
              <a href={toHref(`/requests/${encodeURIComponent(id)}`)}>
                <Time seconds={created_at} isRelative />
              </a>
            ),
          },
          { title: texts.error.status, cell: ({ status }: FailedRequest) => <Badge tone="bad">{status}</Badge> },
          {
            title: texts.error.cause,
            cell: ({ cause }: FailedRequest) => <SafeText text={cause ?? texts.noCause} />,
          },
          { title: texts.error.model, cell: ({ model }: FailedRequest) => <SafeText text={model ?? '–'} /> },
        ]}
      />
    )}
  </Card>
);

const Step = ({
  title,
  command,
  isDone = false,
}: {
  readonly title: string;
  readonly command: string;
  readonly isDone?: boolean;
}) => (
  <li>
    <p>
      {title} {isDone && <Badge tone="good">{texts.empty.done}</Badge>}
    </p>
    {!isDone && <CodeBlock text={command} />}
  </li>
);

const FirstSteps = ({ providers = 0, keys = 0 }: Pick<Used, 'providers' | 'keys'>) => (
  <Card title={texts.empty.title}>
    <p class="muted">{texts.empty.lead}</p>
    <ol class="overview-steps">
      <Step title={texts.empty.provider} command={texts.empty.providerCommand} isDone={providers > 0} />
      {/* The key of the session is one of the keys. */}
      <Step title={texts.empty.key} command={texts.empty.keyCommand} isDone={keys > 1} />
      <Step title={texts.empty.request} command={texts.empty.requestCommand(window.location.origin)} />
    </ol>
  </Card>
);

const mayReadSomething = (): boolean =>
  (['analytics.view', 'policies.list', 'logs.list'] as const).some((scope) => may(scope));

/** Shows each part as soon as it is loaded. */
const OverviewPage = () => {
  const asked = useSignal(Date.now());
  const inputs = [asked.value, workspace.value];
  const used = useLoaded((signal) => readUsed(new Date(asked.value), signal), inputs);
  const errors = useLoaded((signal) => readErrors(new Date(asked.value), signal), inputs);
  const budgets = useLoaded(readBudgets, inputs);
  const circuits = useLoaded(readOpenCircuits, inputs);
  const isNew = used.state.value.status === 'ready' && used.state.value.value.isUsed === false;
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead}>
        <Button
          onClick={() => {
            asked.value = Date.now();
          }}
        >
          {texts.refresh}
        </Button>
      </PageHeader>
      <div class="stack">
        <Loaded state={used.state} retry={used.reload}>
          {({ figures, isUsed, ...counts }) => (
            <>
              {isUsed === false && <FirstSteps {...counts} />}
              {isUsed === true && figures !== undefined && (
                <div class="stack">
                  <Figures figures={figures} />
                  <p>
                    <a href={toHref('/usage')}>{texts.more}</a>
                  </p>
                </div>
              )}
            </>
          )}
        </Loaded>
        {circuits.state.value.status !== 'loading' && (
          <Loaded state={circuits.state} retry={circuits.reload}>
            {(open) => open.length > 0 && <CircuitTable circuits={open} hasConfigs />}
          </Loaded>
        )}
        {!isNew && (
          <Loaded state={errors.state} retry={errors.reload}>
            {(latest) => latest !== undefined && <Errors errors={latest} />}
          </Loaded>
        )}
        <Loaded state={budgets.state} retry={budgets.reload}>
          {(read) => read !== undefined && <Budgets {...read} />}
        </Loaded>
        {!mayReadSomething() && <p class="muted">{texts.nothing}</p>}
      </div>
    </>
  );
};

export default OverviewPage;
