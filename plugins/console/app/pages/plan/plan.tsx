import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { worstCost } from '../../../../../compiler/semantics/bounds.ts';
import type { RoutingPlan } from '../../../../../schema/plan/plan.ts';
import { nanoPerUsd } from '../../../../../schema/usage/usage-record.ts';
import { get } from '../../api/client.ts';
import { useLoaded, usePolling } from '../../api/load.ts';
import { loadNames, type NameChoices } from '../../api/name-choices.ts';
import type { List } from '../../api/pages.ts';
import { may, workspace } from '../../api/session.ts';
import { Field } from '../../components/field.tsx';
import { toDuration, toInteger, toMoney } from '../../components/formats.ts';
import { NameField, type NameOption } from '../../components/name-field.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Stat } from '../../components/small.tsx';
import { EmptyState, ErrorText, Loaded, Notice } from '../../components/states.tsx';
import { PlanPicture } from '../../plan-picture/plan-picture.tsx';
import type { PageProps } from '../../router/page.ts';
import { setQuery, toHref } from '../../router/router.ts';
import { texts } from '../../texts/plan.ts';
import { type ConfigHead, loadConfig, toConfigOption, toText } from '../config/api.ts';
import type { Compiler } from '../config/compiler.ts';
import { useCompiler } from '../config/use-compiler.ts';
import { CircuitTable } from './circuit-table.tsx';
import { loadCircuits } from './circuits.ts';
import { FigureTable, toOverlay } from './figures.tsx';
import { loadLastHour } from './last-hour.ts';
import { loadPrices, type TargetPrice } from './prices.ts';

/** The configs that can be chosen, and the slug of the default one. */
interface Configs extends NameChoices<NameOption> {
  readonly byDefault: string | undefined;
}

const loadConfigs = async (signal: AbortSignal): Promise<Configs> => {
  const [names, { data }] = await Promise.all([
    loadNames('/configs', toConfigOption, signal),
    get<List<ConfigHead>>('/configs', { query: { is_default: true, page_size: 1 }, signal }),
  ]);
  return { ...names, byDefault: data[0]?.slug ?? names.options[0]?.name };
};

/** The maximum cost of a request for numbers of tokens that the user enters. */
const WorstCost = ({
  plan,
  prices,
}: {
  readonly plan: RoutingPlan;
  readonly prices: ReadonlyMap<string, TargetPrice>;
}): VNode => {
  const [input, setInput] = useState(1000);
  const [output, setOutput] = useState(1000);
  const cost = worstCost(plan, ({ id }) => {
    const price = prices.get(id);
    return price && price.input * input + price.output * output;
  });
  const unknown = plan.bounds.targets.filter((id) => !prices.has(id));
  const field = (label: string, value: number, set: (tokens: number) => void): VNode => (
    <Field label={label}>
      {(control) => (
        <input
          {...control}
          class="input"
          type="number"
          min={0}
          max={10_000_000}
          value={value}
          onInput={({ currentTarget: { valueAsNumber: tokens } }) => {
            if (Number.isInteger(tokens) && tokens >= 0 && tokens <= 10_000_000) set(tokens);
          }}
        />
      )}
    </Field>
  );
  return (
    <div class="card stack">
      <Stat
        label={texts.bounds.cost}
        value={cost === undefined ? texts.cost.unknown : texts.bounds.atMost(toMoney(cost / nanoPerUsd))}
        hint={cost === undefined ? texts.cost.unknownOf(unknown.slice(0, 5).join(', ')) : texts.cost.hint}
      />
      <div class="form-row">
        {field(texts.cost.input, input, setInput)}
        {field(texts.cost.output, output, setOutput)}
      </div>
    </div>
  );
};

/** How often circuits are read again, because they open and close while the page is shown. */
const circuitsEveryMs = 5000;

const DrawnConfig = ({ slug, compiler }: { readonly slug: string; readonly compiler: Compiler }): VNode => {
  const { state, reload } = useLoaded(
    async (signal) => {
      const { config } = await loadConfig(slug, signal);
      const { plan: compiled } = await compiler.ask(toText(config.config), { about: 'findings' });
      const plan = compiled && { ...compiled, name: slug };
      return { plan, prices: plan === undefined ? new Map() : await loadPrices(plan, signal) };
    },
    [slug, compiler],
  );
  const maySee = may('logs.list');
  const hour = useLoaded(
    async (signal) => (maySee ? await loadLastHour(slug, signal) : { targets: [], requests: 0, isSample: false }),
    [slug, maySee],
  );
  const figures = hour.state.value;
  const circuits = useLoaded((signal) => loadCircuits(slug, signal), [slug]);
  usePolling(circuits, circuitsEveryMs);
  const open = circuits.state.value;
  const overlay = toOverlay(
    figures.status === 'ready' ? figures.value : { targets: [] },
    open.status === 'ready' ? open.value : [],
  );
  return (
    <Loaded state={state} retry={reload}>
      {({ plan, prices }) =>
        plan === undefined ? (
          <Notice kind="warning">{texts.none}</Notice>
        ) : (
          <div class="stack">
            <div class="grid">
              <Stat label={texts.bounds.calls} value={texts.bounds.atMost(toInteger(plan.bounds.calls))} />
              <Stat label={texts.bounds.waits} value={toDuration(plan.bounds.waitMs)} />
              <Stat label={texts.bounds.targets} value={toInteger(plan.bounds.targets.length)} />
            </div>
            <PlanPicture key={slug} plan={plan} overlay={overlay} />
            <Loaded state={circuits.state} retry={circuits.reload}>
              {(value) => <CircuitTable circuits={value} />}
            </Loaded>
            {maySee ? (
              <Loaded state={hour.state} retry={hour.reload}>
                {(value) => <FigureTable hour={value} reload={hour.reload} />}
              </Loaded>
            ) : (
              <p class="muted">{texts.figures.noScope}</p>
            )}
            <WorstCost plan={plan} prices={prices} />
          </div>
        )
      }
    </Loaded>
  );
};

const PlanPage = ({ query }: PageProps): VNode => {
  const list = useLoaded(loadConfigs, [workspace.value]);
  const { compiler, error } = useCompiler();
  return (
    <Loaded state={list.state} retry={list.reload}>
      {({ byDefault, ...choices }) => {
        const slug = query.get('config') ?? byDefault;
        return (
          <>
            <PageHeader title={texts.title} lead={texts.lead}>
              {slug !== undefined && (
                <a class="button" href={toHref(`/configs/${encodeURIComponent(slug)}`)}>
                  {texts.edit}
                </a>
              )}
            </PageHeader>
            {slug === undefined ? (
              <EmptyState title={texts.empty} hint={texts.emptyHint}>
                {may('configs.create') && (
                  <a class="button primary" href={toHref('/new-config')}>
                    {texts.create}
                  </a>
                )}
              </EmptyState>
            ) : (
              <div class="stack">
                <NameField
                  label={texts.choose}
                  {...choices}
                  value={slug}
                  onChange={(config) => setQuery({ config }, { push: true })}
                />
                {error !== undefined && <ErrorText error={error} />}
                {compiler === undefined && error === undefined && <p class="muted">{texts.compiling}</p>}
                {compiler !== undefined && <DrawnConfig key={slug} slug={slug} compiler={compiler} />}
              </div>
            )}
          </>
        );
      }}
    </Loaded>
  );
};

export default PlanPage;
