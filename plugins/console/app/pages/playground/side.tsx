import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Loader } from '../../api/load.ts';
import type { NameChoices } from '../../api/name-choices.ts';
import { Field } from '../../components/field.tsx';
import { NameField, type NameOption, Suggestions, useSuggestions } from '../../components/name-field.tsx';
import { Segments } from '../../components/small.tsx';
import { Loaded } from '../../components/states.tsx';
import { texts } from '../../texts/playground.ts';
import { type DialectId, dialects, type Routing } from './prompt.ts';

/** The routing and the API of one side of the comparison. */
export interface Target {
  readonly via: Routing;
  readonly dialect: DialectId;
  readonly model: string;
}

/** The names to choose from. */
export interface Choices {
  readonly configs: NameChoices<NameOption>;
  readonly providers: NameChoices<NameOption>;
  readonly models: NameChoices<NameOption>;
}

export interface TargetFieldsProps {
  /** A letter that makes the names of controls unique on the page. */
  readonly name: string;
  readonly target: Target;
  readonly choices: Loader<Choices>;
  /** The missing member. */
  readonly problem: 'config' | 'model' | undefined;
  readonly onChange: (target: Target) => void;
}

const none: NameChoices<NameOption> = { options: [] };
const emptyChoices: Choices = { configs: none, providers: none, models: none };

const echo: NameOption = { name: 'echo', text: texts.echo };

const kinds = ['config', 'provider', 'default'] as const;

/** The fields that determine where a request goes. */
export const TargetFields = ({ name, target, choices, problem, onChange }: TargetFieldsProps) => {
  const { via, dialect, model } = target;
  const listId = `playground-models-${name}`;
  const now = choices.state.value;
  const known = now.status === 'ready' ? now.value : emptyChoices;
  const firsts = { config: known.configs.options[0]?.name ?? '', provider: 'echo' };
  const select = (kind: Routing['kind']): void =>
    onChange({ ...target, via: kind === 'default' ? { kind } : { kind, name: firsts[kind] } });
  const models = useSuggestions(known.models);
  return (
    <div class="stack">
      <Segments
        label={`${texts.viaKindsLabel} (${name})`}
        options={kinds.map((kind) => ({ value: kind, text: texts.viaKinds[kind] }))}
        value={via.kind}
        onChange={select}
      />
      {via.kind !== 'default' && (
        <>
          <Loaded state={choices.state} retry={choices.reload}>
            {({ configs, providers }) => (
              <NameField
                label={texts[via.kind]}
                {...(via.kind === 'config' && configs.options.length === 0 ? { hint: texts.noConfigs } : {})}
                options={[
                  ...(via.name === '' ? [{ name: '', text: texts.chooseConfig }] : []),
                  ...(via.kind === 'config' ? configs.options : [echo, ...providers.options]),
                ]}
                search={(via.kind === 'config' ? configs : providers).search}
                value={via.name}
                onChange={(chosen) => onChange({ ...target, via: { kind: via.kind, name: chosen } })}
              />
            )}
          </Loaded>
          {problem === 'config' && (
            <p class="field-error" role="alert">
              {texts.needsConfig}
            </p>
          )}
        </>
      )}
      <div class="form-row">
        <Field label={texts.dialect}>
          {(control) => (
            <select
              {...control}
              class="input"
              value={dialect}
              onChange={({ currentTarget }) =>
                onChange({ ...target, dialect: dialects.find((each) => each === currentTarget.value) ?? 'chat' })
              }
            >
              {dialects.map((each) => (
                <option key={each} value={each}>
                  {texts.dialects[each]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field
          label={texts.model}
          hint={target.via.kind === 'config' ? texts.configModelHint : texts.modelHint}
          error={problem === 'model' ? texts.needsModel : undefined}
        >
          {(control) => (
            <>
              <input
                {...control}
                class="input"
                list={listId}
                value={model}
                autocomplete="off"
                spellcheck={false}
                onInput={({ currentTarget }) => {
                  onChange({ ...target, model: currentTarget.value });
                  models.suggest(currentTarget.value);
                }}
              />
              <Suggestions id={listId} options={models.suggestions} />
            </>
          )}
        </Field>
      </div>
    </div>
  );
};

/** Aborts running requests when the page is closed. */
export const useStopper = () => {
  const running = useSignal<AbortController | undefined>(undefined);
  useEffect(() => () => running.peek()?.abort(), []);
  return running;
};
