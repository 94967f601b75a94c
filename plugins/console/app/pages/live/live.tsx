import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { get } from '../../api/client.ts';
import { useLoaded } from '../../api/load.ts';
import { Button } from '../../components/button.tsx';
import { toInteger } from '../../components/formats.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Badge } from '../../components/small.tsx';
import { EmptyState, ErrorState, Loaded, Notice, Spinner } from '../../components/states.tsx';
import type { PageProps } from '../../router/page.ts';
import { setQuery } from '../../router/router.ts';
import { texts } from '../../texts/live.ts';
import { FilterForm } from './filter-form.tsx';
import { toFilters } from './filters.ts';
import './live.css';
import { LiveFeed, type LiveState } from './live-feed.ts';
import type { LogPage } from './log-record.ts';
import { maxShown } from './record-ring.ts';
import { RecordTable } from './record-table.tsx';

const Empty = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <EmptyState title={texts.emptyFiltered} hint={texts.emptyFilteredHint} />
  ) : (
    <EmptyState title={texts.empty} hint={texts.emptyHint} command={texts.emptyCommand(window.location.origin)} />
  );

const showBefore = (id: string): void => setQuery({ before: id }, { push: true });

const Connection = ({ connection, isPaused }: LiveState) => {
  if (isPaused) return <Badge tone="warning">{texts.state.paused}</Badge>;
  if (connection === 'live') return <Badge tone="good">{texts.state.live}</Badge>;
  return <Badge>{texts.state.connecting}</Badge>;
};

const LiveList = ({ query }: { readonly query: URLSearchParams }) => {
  const filters = toFilters(query);
  const feed = useMemo(() => new LiveFeed(filters), [JSON.stringify(filters)]);
  useLayoutEffect(() => {
    feed.start();
    return () => feed.end();
  }, [feed]);
  const state = feed.state.value;
  const { records, waiting, isMore, isPaused, omitted, connection, error } = state;
  if (error !== undefined) return <ErrorState error={error} />;
  const last = records.at(-1);
  return (
    <>
      <div class="toolbar live-bar">
        <span role="status">
          <Connection {...state} />
        </span>
        <Button size="small" onClick={() => (isPaused ? feed.resume() : feed.pause())}>
          {isPaused ? texts.resume : texts.pause}
        </Button>
        {waiting > 0 && (
          <Button size="small" kind="primary" onClick={() => feed.resume()}>
            {texts.showNew(waiting, isMore)}
          </Button>
        )}
        {last !== undefined && (
          <Button size="small" onClick={() => showBefore(last.id)}>
            {texts.older}
          </Button>
        )}
      </div>
      {connection === 'broken' && <Notice kind="warning">{texts.state.broken}</Notice>}
      {omitted > 0 && <Notice kind="warning">{texts.omitted(omitted)}</Notice>}
      {records.length > 0 && <RecordTable records={records} />}
      {records.length === 0 && connection === 'connecting' && <Spinner label={texts.state.connecting} />}
      {records.length === 0 && connection !== 'connecting' && <Empty isFiltered={Object.keys(filters).length > 0} />}
    </>
  );
};

/** A page of log records older than a given record. */
const OlderList = ({ query, before }: { readonly query: URLSearchParams; readonly before: string }) => {
  const filters = toFilters(query);
  const { state, reload } = useLoaded<LogPage>(
    (signal) => get('/logs', { query: { ...filters, limit: maxShown, after: before }, signal }),
    [JSON.stringify(filters), before],
  );
  return (
    <Loaded state={state} retry={reload}>
      {({ data, has_more, last_id }) => (
        <>
          <div class="toolbar live-bar">
            <Button size="small" onClick={() => setQuery({ before: undefined }, { push: true })}>
              {texts.backToLive}
            </Button>
            <Button size="small" isUnavailable={!has_more} onClick={() => last_id !== null && showBefore(last_id)}>
              {texts.older}
            </Button>
            <span class="muted">{data.length === 0 ? texts.end : toInteger(data.length)}</span>
          </div>
          {data.length > 0 && <RecordTable records={data} />}
        </>
      )}
    </Loaded>
  );
};

const LivePage = ({ query }: PageProps) => {
  const before = query.get('before') ?? '';
  const lists = useRef<HTMLElement>(null);
  const isLive = before === '';
  const wasLive = useRef(isLive);
  // The button that changes from one list to the other goes with its list, and must not take the focus with it.
  useEffect(() => {
    if (wasLive.current === isLive) return;
    wasLive.current = isLive;
    if (document.activeElement === document.body) lists.current?.focus();
  }, [isLive]);
  return (
    <>
      <PageHeader title={texts.title} lead={before === '' ? texts.lead : texts.olderLead} />
      <FilterForm query={query} />
      <section ref={lists} tabIndex={-1} aria-label={isLive ? texts.title : texts.olderLead}>
        {isLive ? <LiveList query={query} /> : <OlderList query={query} before={before} />}
      </section>
    </>
  );
};

export default LivePage;
