import './keys.css';
import { useEffect, useRef } from 'preact/hooks';
import { maxSearch } from '../../api/name-choices.ts';
import { usePagedList } from '../../api/pages.ts';
import type { SavedRecord } from '../../api/saved-record.ts';
import { may, mayEdit } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { RecordDialog } from '../../components/dialogs/record-dialog.tsx';
import { useOpenDialog } from '../../components/dialogs/use-open-dialog.ts';
import { EditScopeNotice } from '../../components/edit-scope-notice.tsx';
import { toInteger, toMoney } from '../../components/formats.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Badge, Segments, type Tone } from '../../components/small.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { showToast } from '../../components/toast.tsx';
import { listPage, setFilters } from '../../router/list-page.ts';
import type { PageProps } from '../../router/page.ts';
import { setQuery } from '../../router/router.ts';
import { texts } from '../../texts/keys.ts';
import { type Key, keyPath, type ShownKey } from './key.ts';
import { RevokeKey, RotateKey, ShowKey } from './key-dialogs.tsx';
import { KeyForm } from './key-form.tsx';

type Open =
  | { readonly kind: 'create' }
  | { readonly kind: 'edit' | 'rotate' | 'revoke'; readonly target: Key }
  | { readonly kind: 'shown'; readonly shown: ShownKey; readonly name: string };

const tones: Readonly<Record<string, Tone>> = {
  active: 'good',
  exhausted: 'warning',
  expired: 'warning',
  revoked: 'bad',
};

const Status = ({ of: { status } }: { readonly of: Key }) => (
  <Badge tone={tones[status] ?? 'neutral'}>{texts.status[status]}</Badge>
);

const Scopes = ({ of: { scopes } }: { readonly of: Key }) =>
  scopes.length <= 2 ? (
    <span class="scopes">
      {scopes.map((scope) => (
        <code key={scope}>{scope}</code>
      ))}
    </span>
  ) : (
    <span title={scopes.join('\n')}>{texts.scopeCount(scopes.length)}</span>
  );

const Limits = ({ of: { rate_limits, usage_limits } }: { readonly of: Key }) => {
  const usage = usage_limits === null ? [] : [usage_limits];
  const lines = [
    ...usage.map(({ type, credit_limit, periodic_reset }) =>
      [
        type === 'cost'
          ? toMoney(credit_limit)
          : `${toInteger(credit_limit)} ${texts.form.rateTypes.tokens.toLowerCase()}`,
        ...(periodic_reset == null ? [] : [texts.form.resets[periodic_reset].toLowerCase()]),
      ].join(' '),
    ),
    ...rate_limits.map(
      ({ type, unit, value }) =>
        `${toInteger(value)} ${texts.form.rateTypes[type].toLowerCase()} / ${texts.form.rateUnits[unit].toLowerCase()}`,
    ),
  ];
  if (lines.length === 0) return <span class="muted">{texts.noLimits}</span>;
  return (
    <span class="limits">
      {lines.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </span>
  );
};

const Actions = ({ of, open }: { readonly of: Key; readonly open: (what: Open) => void }) =>
  of.status === 'revoked' ? null : (
    <span class="row key-actions">
      {mayEdit('keys') && (
        <Button size="small" label={texts.editOf(of.name)} onClick={() => open({ kind: 'edit', target: of })}>
          {texts.edit}
        </Button>
      )}
      {may('keys.rotate') && (
        <Button size="small" label={texts.rotateOf(of.name)} onClick={() => open({ kind: 'rotate', target: of })}>
          {texts.rotate}
        </Button>
      )}
      {may('keys.delete') && (
        <Button size="small" label={texts.revokeOf(of.name)} onClick={() => open({ kind: 'revoke', target: of })}>
          {texts.revoke}
        </Button>
      )}
    </span>
  );

const columns = (open: (what: Open) => void) => [
  {
    title: texts.columns.name,
    cell: (key: Key) => (
      <span class="row">
        <strong>
          <SafeText text={key.name} />
        </strong>
        {key.kind === 'organisation' && <Badge>{texts.organisation}</Badge>}
      </span>
    ),
  },
  { title: texts.columns.key, cell: ({ key }: Key) => <code>{key}</code> },
  { title: texts.columns.scopes, cell: (key: Key) => <Scopes of={key} /> },
  { title: texts.columns.limits, cell: (key: Key) => <Limits of={key} /> },
  { title: texts.columns.status, cell: (key: Key) => <Status of={key} /> },
  {
    title: texts.columns.expires,
    cell: ({ expires_at }: Key) =>
      expires_at === null ? <span class="muted">{texts.never}</span> : <Time seconds={expires_at} isRelative />,
  },
  { title: texts.columns.created, cell: ({ created_at }: Key) => <Time seconds={created_at} isRelative /> },
  {
    title: texts.columns.actions,
    isTitleHidden: true,
    cell: (key: Key) => <Actions of={key} open={open} />,
  },
];

const statuses = ['active', 'expired', 'revoked', 'all'] as const;
type ListedStatus = (typeof statuses)[number];

/** What the page shows in place of an empty list. */
const Empty = ({
  status,
  search,
  onChange,
}: {
  readonly status: ListedStatus;
  readonly search: string;
  readonly onChange: (changes: Readonly<Record<string, string | undefined>>) => void;
}) => {
  if (search !== '')
    return (
      <EmptyState title={texts.search.none[status](search)}>
        <span class="row">
          {status !== 'all' && <Button onClick={() => onChange({ status: 'all' })}>{texts.search.everywhere}</Button>}
          <Button onClick={() => onChange({ search: undefined })}>{texts.search.clear}</Button>
        </span>
      </EmptyState>
    );
  if (status === 'revoked' || status === 'expired') return <EmptyState title={texts.emptyOf[status]} />;
  return <EmptyState title={texts.empty} hint={texts.emptyHint} command={texts.emptyCommand} />;
};

const KeysPage = ({ query }: PageProps) => {
  const status = statuses.find((each) => each === query.get('status')) ?? 'active';
  const search = query.get('search') ?? '';
  const searchField = useRef<HTMLInputElement>(null);
  const list = usePagedList<Key>('/api-keys', listPage(), {
    query: { status: status === 'all' ? undefined : status, search },
  });
  const loaded = list.state.value;
  const isFound = search !== '' && loaded.status === 'ready' && !loaded.isStale;
  const opened = useOpenDialog<Open>();
  const { now, open: show } = opened;
  const close = (): void => {
    if (opened.isOpen() && query.has('new')) setQuery({ new: undefined });
    opened.close();
  };
  // A link of the command palette opens the form.
  useEffect(() => {
    if (query.has('new') && may('keys.create')) show({ kind: 'create' });
  }, [query.has('new')]);
  const form = (edited?: SavedRecord<Key>) => (
    <KeyForm
      {...(edited === undefined ? {} : { edited })}
      onClose={close}
      onMade={(shown, name) => {
        show({ kind: 'shown', shown, name });
        list.reload();
      }}
      onSaved={(name) => {
        close();
        showToast(texts.saved(name));
        list.reload();
      }}
    />
  );
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead}>
        {may('keys.create') && (
          <Button kind="primary" onClick={() => show({ kind: 'create' })}>
            {texts.create}
          </Button>
        )}
      </PageHeader>
      <EditScopeNotice resource="keys" />
      <div class="toolbar">
        <Segments
          label={texts.status.label}
          value={status}
          options={statuses.map((value) => ({ value, text: texts.status[value] }))}
          onChange={(value) => setFilters({ status: value === 'active' ? undefined : value })}
        />
        <SearchField
          label={texts.search.label}
          value={search}
          maxLength={maxSearch}
          inputRef={searchField}
          onSearch={(text) => setFilters({ search: text })}
        />
        <span class="muted" role="status">
          {isFound && texts.search.found(loaded.value.total)}
        </span>
      </div>
      <PagedTable
        list={list}
        caption={texts.title}
        columns={columns(show)}
        empty={
          <Empty
            status={status}
            search={search}
            onChange={(changes) => {
              setFilters(changes);
              // The buttons disappear.
              searchField.current?.focus();
            }}
          />
        }
      />
      {now?.kind === 'create' && form()}
      {now?.kind === 'edit' && (
        <RecordDialog<Key>
          path={keyPath(now.target)}
          title={texts.form.editTitle(now.target.name)}
          onClose={close}
          onGone={list.reload}
        >
          {form}
        </RecordDialog>
      )}
      {now?.kind === 'shown' && <ShowKey shown={now.shown} name={now.name} onClose={close} />}
      {now?.kind === 'rotate' && (
        <RotateKey
          target={now.target}
          onClose={close}
          onRotated={(shown) => {
            show({ kind: 'shown', shown, name: now.target.name });
            list.reload();
          }}
        />
      )}
      {now?.kind === 'revoke' && (
        <RevokeKey
          target={now.target}
          onClose={close}
          onRevoked={() => {
            close();
            list.reload();
          }}
        />
      )}
    </>
  );
};

export default KeysPage;
