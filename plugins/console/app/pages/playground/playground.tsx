import './playground.css';
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { asApiError } from '../../api/error.ts';
import { useLoaded } from '../../api/load.ts';
import { loadNames, type NameChoices } from '../../api/name-choices.ts';
import { may, workspace } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { type NameOption, toNameOption } from '../../components/name-field.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Card } from '../../components/small.tsx';
import type { PageProps } from '../../router/page.ts';
import { texts } from '../../texts/playground.ts';
import { AnswerView, type SideState } from './answer.tsx';
import { type Prompt, type Routing, readTools, type Turn, toModel } from './prompt.ts';
import { sendRequest } from './send.ts';
import { type Choices, type Target, TargetFields, useStopper } from './side.tsx';
import { Snippets } from './snippets-view.tsx';
import { toRequest } from './to-request.ts';
import { Turns } from './turns.tsx';

interface Named {
  readonly name: string;
}

interface Slugged {
  readonly slug: string;
}

const loadChoices = async (signal: AbortSignal): Promise<Choices> => {
  const names = async <Item,>(
    path: string,
    scope: string,
    toName: (item: Item) => string,
  ): Promise<NameChoices<NameOption>> =>
    may(scope) ? loadNames(path, (item: Item) => toNameOption(toName(item)), signal) : { options: [] };
  const [configs, providers, models] = await Promise.all([
    names('/configs', 'configs.list', ({ slug }: Slugged) => slug),
    names('/providers', 'providers.list', ({ slug }: Slugged) => `@${slug}`),
    names('/virtual-models', 'virtual_models.list', ({ name }: Named) => name),
  ]);
  const { search } = providers;
  // Slugs are saved without the "@" with which requests name providers.
  const findProviders = search && ((text: string, searching: AbortSignal) => search(text.replace(/^@/, ''), searching));
  return { configs, providers: { ...providers, search: findProviders }, models };
};

const toNumber = (text: string): number | undefined => {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
};

const firstTarget = (query: URLSearchParams): Target => {
  const [config, provider] = [query.get('config'), query.get('provider')];
  const via: Routing =
    config === null ? { kind: 'provider', name: provider ?? 'echo' } : { kind: 'config', name: config };
  return { via, dialect: 'chat', model: query.get('model') ?? '' };
};

/** Whether a config is still to be chosen. An empty header would send the request through the default. */
const lacksConfig = ({ via }: Target): boolean => via.kind === 'config' && via.name === '';

/** A page that sends a prompt to one or two targets. */
const PlaygroundPage = ({ query }: PageProps) => {
  const choices = useLoaded(loadChoices, [workspace.value]);
  const targets = useSignal<readonly Target[]>([firstTarget(query)]);
  const states = useSignal<readonly SideState[]>([{ kind: 'idle' }]);
  const system = useSignal('');
  const turns = useSignal<readonly Turn[]>([{ role: 'user', text: '', images: [] }]);
  const isStream = useSignal(true);
  const numbers = useSignal({ temperature: '', topP: '', maxTokens: '' });
  const toolsText = useSignal('');
  const problem = useSignal<'config' | 'model' | 'text' | undefined>(undefined);
  const running = useStopper();
  const form = useRef<HTMLFormElement>(null);
  const tools = readTools(toolsText.value);
  const isSending = states.value.some(({ kind }) => kind === 'sending');

  const toPrompt = (target: Target): Prompt => ({
    model: toModel(target),
    system: system.value.trim() === '' ? '' : system.value,
    turns: turns.value,
    stream: isStream.value,
    temperature: toNumber(numbers.value.temperature),
    topP: toNumber(numbers.value.topP),
    maxTokens: toNumber(numbers.value.maxTokens),
    tools: tools.kind === 'read' ? tools.tools : [],
  });

  const missingOf = (target: Target): 'config' | 'model' | undefined => {
    if (problem.value === 'config') return lacksConfig(target) ? 'config' : undefined;
    return problem.value === 'model' && toModel(target) === '' ? 'model' : undefined;
  };

  const setState = (at: number, state: SideState): void => {
    states.value = states.value.map((each, index) => (index === at ? state : each));
  };

  const sendSide = async (at: number, target: Target, signal: AbortSignal): Promise<void> => {
    const options = { dialect: target.dialect, request: toRequest(target.dialect, toPrompt(target)), via: target.via };
    setState(at, { kind: 'sending' });
    try {
      const exchange = await sendRequest({
        ...options,
        signal,
        onProgress: (now) => setState(at, { kind: 'sending', exchange: now }),
      });
      setState(at, { kind: 'answered', exchange });
    } catch (thrown) {
      const before = states.value[at];
      if (signal.aborted)
        setState(at, {
          kind: 'stopped',
          ...(before !== undefined && 'exchange' in before ? { exchange: before.exchange } : {}),
        });
      else setState(at, { kind: 'unreached', message: asApiError(thrown).message });
    }
  };

  const start = async (): Promise<void> => {
    if (isSending) return;
    const last = turns.value.at(-1);
    problem.value = undefined;
    if (targets.value.some(lacksConfig)) problem.value = 'config';
    else if (targets.value.some((target) => toModel(target) === '')) problem.value = 'model';
    else if (last === undefined || (last.text.trim() === '' && last.images.length === 0)) problem.value = 'text';
    if (problem.value !== undefined || tools.kind === 'failed') {
      if (problem.value !== 'config')
        form.current
          ?.querySelector<HTMLElement>(problem.value === 'model' ? 'input[list^="playground-models"]' : 'textarea')
          ?.focus();
      return;
    }
    const controller = new AbortController();
    running.value = controller;
    await Promise.all(targets.value.map((target, at) => sendSide(at, target, controller.signal)));
  };

  const compare = (): void => {
    const [first] = targets.value;
    if (targets.value.length > 1 || first === undefined) {
      targets.value = targets.value.slice(0, 1);
      states.value = states.value.slice(0, 1);
      return;
    }
    targets.value = [first, first];
    states.value = [...states.value, { kind: 'idle' }];
  };

  const number = (member: keyof typeof numbers.value, step: string) => (
    <Field label={texts[member]}>
      {(control) => (
        <input
          {...control}
          class="input"
          type="number"
          min="0"
          step={step}
          value={numbers.value[member]}
          onInput={({ currentTarget }) => {
            numbers.value = { ...numbers.value, [member]: currentTarget.value };
          }}
        />
      )}
    </Field>
  );

  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead}>
        <Button isDisabled={isSending} onClick={compare}>
          {targets.value.length > 1 ? texts.onlyOne : texts.compare}
        </Button>
      </PageHeader>
      <form
        ref={form}
        class="playground"
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          void start();
        }}
      >
        <div class="stack">
          <Card>
            <div class="stack">
              <Field label={texts.system} hint={texts.systemHint}>
                {(control) => (
                  <textarea
                    {...control}
                    class="input"
                    rows={2}
                    value={system.value}
                    onInput={({ currentTarget }) => {
                      system.value = currentTarget.value;
                    }}
                  />
                )}
              </Field>
              <Turns
                turns={turns.value}
                onChange={(change) => {
                  turns.value = change(turns.peek());
                }}
              />
              {problem.value === 'text' && (
                <p class="field-error" role="alert">
                  {texts.needsText}
                </p>
              )}
              <details class="playground-parameters">
                <summary>{texts.parameters}</summary>
                <div class="stack">
                  <div class="form-row">
                    {number('temperature', '0.1')}
                    {number('topP', '0.05')}
                    {number('maxTokens', '1')}
                  </div>
                  <Field
                    label={texts.tools}
                    hint={texts.toolsHint}
                    error={tools.kind === 'failed' ? texts.toolErrors[tools.at] : undefined}
                  >
                    {(control) => (
                      <textarea
                        {...control}
                        class="input mono"
                        rows={5}
                        spellcheck={false}
                        value={toolsText.value}
                        onInput={({ currentTarget }) => {
                          toolsText.value = currentTarget.value;
                        }}
                      />
                    )}
                  </Field>
                </div>
              </details>
              <div class="row">
                <Button kind="primary" type="submit" isDisabled={isSending}>
                  {texts.send}
                </Button>
                {isSending && <Button onClick={() => running.value?.abort()}>{texts.stop}</Button>}
                <label class="check">
                  <input
                    type="checkbox"
                    checked={isStream.value}
                    onChange={({ currentTarget }) => {
                      isStream.value = currentTarget.checked;
                    }}
                  />
                  {texts.stream}
                </label>
                <span class="muted">{texts.sendHint}</span>
              </div>
            </div>
          </Card>
        </div>
        <div class={`playground-sides${targets.value.length > 1 ? ' two' : ''}`}>
          {targets.value.map((target, at) => {
            const name = String.fromCharCode(65 + at);
            return (
              <div key={name} class="stack">
                <Card title={targets.value.length > 1 ? texts.side(name) : texts.via}>
                  <TargetFields
                    name={name}
                    target={target}
                    choices={choices}
                    problem={missingOf(target)}
                    onChange={(next) => {
                      targets.value = targets.value.map((each, index) => (index === at ? next : each));
                    }}
                  />
                </Card>
                <Card title={texts.answer}>
                  <AnswerView state={states.value[at] ?? { kind: 'idle' }} />
                </Card>
                <Snippets
                  dialect={target.dialect}
                  request={toRequest(target.dialect, toPrompt(target))}
                  via={target.via}
                  origin={window.location.origin}
                />
              </div>
            );
          })}
        </div>
      </form>
    </>
  );
};

export default PlaygroundPage;
