import './policies.css';
import { useEffect } from 'preact/hooks';
import { useKeyNames } from '../../api/key-names.ts';
import { usePagedList } from '../../api/pages.ts';
import type { SavedRecord } from '../../api/saved-record.ts';
import { may, mayEdit } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { RecordDialog } from '../../components/dialogs/record-dialog.tsx';
import { RemoveItem } from '../../components/dialogs/remove-item.tsx';
import { useOpenDialog } from '../../components/dialogs/use-open-dialog.ts';
import { EditScopeNotice } from '../../components/edit-scope-notice.tsx';
import { toInteger } from '../../components/formats.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { EmptyState, Loaded } from '../../components/states.tsx';
import { Pager } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { showSaved, showToast } from '../../components/toast.tsx';
import { listPage } from '../../router/list-page.ts';
import type { PageProps } from '../../router/page.ts';
import { setQuery } from '../../router/router.ts';
import { texts } from '../../texts/policies.ts';
import { Counters } from './counters.tsx';
import { conditionValues, describeAmount, describeConditions, describeGroups } from './describe.ts';
import { type Policy, policyLimit, policyPath } from './policy.ts';
import type { PolicyKind } from './policy-fields.ts';
import { PolicyForm } from './policy-form.tsx';

type Open =
  | { readonly kind: 'create'; readonly of: PolicyKind }
  | { readonly kind: 'edit'; readonly target: Policy }
  | { readonly kind: 'archive'; readonly target: Policy };

interface PolicyProps {
  readonly policy: Policy;
  readonly names: ReadonlyMap<string, string>;
  readonly open: (what: Open) => void;
}

const toKind = ({ object }: Policy): PolicyKind => (object === 'policy_usage_limits' ? 'budget' : 'rate');

const Terms = ({ policy }: Pick<PolicyProps, 'policy'>) => {
  if (policy.object === 'policy_rate_limits')
    return (
      <p>{texts.limit(`${describeAmount(policy, policyLimit(policy))} ${texts.each(texts.units[policy.unit])}`)}</p>
    );
  return (
    <p>
      {texts.limit(describeAmount(policy, policyLimit(policy)))}
      {' · '}
      {policy.next_usage_reset_at === null ? (
        texts.noReset
      ) : (
        <>
          {texts.resets} <Time seconds={Date.parse(policy.next_usage_reset_at) / 1000} isRelative />
        </>
      )}
    </p>
  );
};

const PolicyCard = ({ policy, names, open }: PolicyProps) => {
  const name = policy.name ?? texts.unnamed;
  const groups = describeGroups(policy);
  return (
    <article class="card policy" aria-label={name}>
      <header class="card-head">
        <h3>
          <SafeText text={name} />
        </h3>
        <span class="row">
          {mayEdit('policies') && (
            <Button size="small" label={texts.editOf(name)} onClick={() => open({ kind: 'edit', target: policy })}>
              {texts.edit}
            </Button>
          )}
          {may('policies.delete') && (
            <Button
              size="small"
              label={texts.archiveOf(name)}
              onClick={() => open({ kind: 'archive', target: policy })}
            >
              {texts.archive}
            </Button>
          )}
        </span>
      </header>
      <div class="policy-terms">
        <Terms policy={policy} />
        <p class="muted">
          {texts.covers} <SafeText text={describeConditions(policy, names)} />
          {groups !== undefined && (
            <>
              {', '}
              <SafeText text={groups} />
            </>
          )}
        </p>
      </div>
      {may('policies.read') && <Counters policy={policy} />}
    </article>
  );
};

const ArchivePolicy = ({
  target,
  onClose,
  onArchived,
}: {
  readonly target: Policy;
  readonly onClose: () => void;
  readonly onArchived: () => void;
}) => {
  const name = target.name ?? texts.unnamed;
  return (
    <RemoveItem
      path={policyPath(target)}
      title={texts.archival.title(name)}
      action={texts.archival.action}
      text={texts.archival.text}
      onClose={onClose}
      onRemoved={() => {
        showToast(texts.archival.done(name));
        onArchived();
      }}
    />
  );
};

const pageSize = 20;

const PoliciesPage = ({ query }: PageProps) => {
  const budgets = usePagedList<Policy>('/policies/usage-limits', listPage('budgets_page'), { pageSize });
  const rates = usePagedList<Policy>('/policies/rate-limits', listPage('rates_page'), { pageSize });
  const names = useKeyNames(
    [budgets.state.value, rates.state.value].flatMap((state) =>
      state.status === 'ready' ? state.value.data.flatMap(conditionValues) : [],
    ),
  );
  const opened = useOpenDialog<Open>();
  const { now, open: show } = opened;
  const close = (): void => {
    if (opened.isOpen() && query.has('new')) setQuery({ new: undefined });
    opened.close();
  };
  const asked = query.get('new');
  useEffect(() => {
    if (may('policies.create') && (asked === 'budget' || asked === 'rate')) show({ kind: 'create', of: asked });
  }, [asked]);
  const reload = (): void => {
    close();
    budgets.reload();
    rates.reload();
  };
  const form = (kind: PolicyKind, edited?: SavedRecord<Policy>) => (
    <PolicyForm
      kind={kind}
      {...(edited === undefined ? {} : { edited })}
      onClose={close}
      onSaved={(name, warnings) => {
        showSaved(texts.saved(name), warnings);
        reload();
      }}
    />
  );
  const isEmpty = [budgets.state.value, rates.state.value].every(
    (state) => state.status === 'ready' && state.value.total === 0,
  );
  const sections = [
    { title: texts.budgets, list: budgets },
    { title: texts.rates, list: rates },
  ];
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead}>
        {may('policies.create') && (
          <>
            <Button onClick={() => show({ kind: 'create', of: 'rate' })}>{texts.createRate}</Button>
            <Button kind="primary" onClick={() => show({ kind: 'create', of: 'budget' })}>
              {texts.createBudget}
            </Button>
          </>
        )}
      </PageHeader>
      <EditScopeNotice resource="policies" />
      {isEmpty ? (
        <EmptyState title={texts.empty} hint={texts.emptyHint} command={texts.emptyCommand} />
      ) : (
        <div class="stack">
          {sections.map(({ title, list }) => (
            <Loaded key={title} state={list.state} retry={list.reload}>
              {({ data, total, page }) =>
                total > 0 && (
                  <section class="stack" aria-label={title}>
                    <h2>
                      {title} <span class="muted">{toInteger(total)}</span>
                    </h2>
                    <div class="policies">
                      {data.map((policy: Policy) => (
                        <PolicyCard key={policy.id} policy={policy} names={names} open={show} />
                      ))}
                    </div>
                    <Pager {...list} total={total} shown={page} />
                  </section>
                )
              }
            </Loaded>
          ))}
        </div>
      )}
      {now?.kind === 'create' && form(now.of)}
      {now?.kind === 'edit' && (
        <RecordDialog<Policy>
          path={policyPath(now.target)}
          title={texts.form.editTitle(now.target.name ?? texts.unnamed)}
          onClose={close}
          onGone={() => {
            budgets.reload();
            rates.reload();
          }}
        >
          {(edited) => form(toKind(now.target), edited)}
        </RecordDialog>
      )}
      {now?.kind === 'archive' && <ArchivePolicy target={now.target} onClose={close} onArchived={reload} />}
    </>
  );
};

export default PoliciesPage;
