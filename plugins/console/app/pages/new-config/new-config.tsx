import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { type ApiError, asApiError } from '../../api/error.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Segments } from '../../components/small.tsx';
import { ErrorState, ErrorText, Spinner } from '../../components/states.tsx';
import { showToast } from '../../components/toast.tsx';
import { navigate } from '../../router/router.ts';
import { texts as all } from '../../texts/configs.ts';
import { createConfig, tryNew } from '../config/api.ts';
import type { EditorHandle } from '../config/code-editor.tsx';
import type { Compiler } from '../config/compiler.ts';
import { EditConfig, isSaveable, useLeaveWarning } from '../config/edit-config.tsx';
import type { ConfigFacts } from '../config/messages.ts';
import { type CheckedText, parseConfig } from '../config/use-checked-text.ts';
import { useCompiler } from '../config/use-compiler.ts';
import { useDraft } from '../config/use-draft.ts';
import { type TemplateName, templateNames, templateText } from './starters.ts';

const texts = all.fresh;

/** The name of the draft of a new config. No slug can have this name. */
const draftName = '/new';

const NewConfig = ({ facts, compiler }: { readonly facts: ConfigFacts; readonly compiler: Compiler }): VNode => {
  const { providers, virtualKeys } = facts.saved;
  const saved = { providers: Object.keys(providers), virtualKeys: Object.keys(virtualKeys) };
  const [starter, setStarter] = useState<TemplateName>('single');
  const [name, setName] = useState('');
  const [slug, setSlug] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const handle = useRef<EditorHandle>(null);
  const draft = useDraft(draftName, { text: templateText('single', saved), etag: '' });
  useLeaveWarning(draft.isChanged);
  const begin = (next: TemplateName): void => {
    setStarter(next);
    handle.current?.replace(templateText(next, saved));
  };
  const save = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const given = { name: name.trim(), config: parseConfig(draft.text) };
      const { data } = await createConfig(slug === '' ? given : { ...given, slug });
      draft.discard();
      showToast(texts.saved(data.slug));
      navigate(`/configs/${encodeURIComponent(data.slug)}`);
    } catch (thrown) {
      setError(asApiError(thrown));
      setBusy(false);
    }
  };
  const actions = (checked: CheckedText): VNode => (
    <>
      <Segments
        label={texts.starters}
        value={starter}
        onChange={begin}
        options={templateNames.map((value) => ({ value, text: texts.starter[value] }))}
      />
      <div class="form-row">
        <Field label={texts.name} error={error?.at('/name')?.message}>
          {(control) => (
            <input
              {...control}
              class="input"
              value={name}
              maxLength={255}
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
          )}
        </Field>
        <Field label={texts.slug} hint={texts.slugHint} error={error?.at('/slug')?.message}>
          {(control) => (
            <input
              {...control}
              class="input"
              value={slug}
              maxLength={255}
              onInput={({ currentTarget }) => setSlug(currentTarget.value.trim())}
            />
          )}
        </Field>
      </div>
      {error !== undefined && <ErrorText error={error} />}
      <div class="row">
        <Button
          kind="primary"
          isBusy={isBusy}
          isDisabled={name.trim() === '' || !isSaveable(draft.text, checked)}
          onClick={() => save()}
        >
          {texts.save}
        </Button>
        {name.trim() === '' && <span class="muted">{texts.nameFirst}</span>}
      </div>
    </>
  );
  return (
    <EditConfig
      label={texts.label}
      name={slug === '' ? name : slug}
      text={draft.text}
      isReadOnly={false}
      compiler={compiler}
      dryRun={tryNew}
      handle={handle}
      onChange={draft.change}
    >
      {actions}
    </EditConfig>
  );
};

const NewConfigPage = (): VNode => {
  const { facts, compiler, error } = useCompiler();
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} />
      {error !== undefined && <ErrorState error={error} />}
      {error === undefined && (facts === undefined || compiler === undefined) && <Spinner />}
      {facts !== undefined && compiler !== undefined && <NewConfig facts={facts} compiler={compiler} />}
    </>
  );
};

export default NewConfigPage;
