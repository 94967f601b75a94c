import { describe, expect, it } from 'vitest';
import { deployment, imported, type Made, parsed } from './support.ts';

const models = { model_list: [deployment('a', { model: 'openai/one' })] };
const notes = ({ losses }: Made): readonly (readonly [place: string, note: string, unchecked: boolean])[] =>
  losses.map(({ place, why, instead, unchecked }) => [place, `${why} ${instead}`, unchecked === true]);
const note = (place: string, text: string, unchecked = false): readonly unknown[] => [
  place,
  expect.stringContaining(text),
  unchecked,
];

const presidio = (more: object): object => ({
  guardrail_name: 'pii',
  litellm_params: {
    ...{ guardrail: 'presidio', mode: 'pre_call', default_on: true },
    ...{ pii_entities_config: { EMAIL_ADDRESS: 'MASK' }, ...more },
  },
});
const guarded = (more: object): Promise<Made> => imported('litellm', { ...models, guardrails: [presidio(more)] });

describe('gw import litellm for callbacks', () => {
  it('names custom code, and the counterparts of known services', async () => {
    const made = await imported('litellm', {
      ...models,
      litellm_settings: {
        callbacks: [
          'my_module.handler',
          'own_handler',
          'langfuse',
          's3_v2',
          'otel',
          'pagerduty',
          'dotprompt',
          'litellm_agent',
        ],
        success_callback: 'datadog',
      },
    });
    const at = '/litellm_settings/callbacks';
    expect(notes(made)).toEqual([
      note(at, 'Code of the other gateway does not run here (my_module.handler). If it checks or changes requests'),
      note(at, '(own_handler)'),
      note(at, 'Receivers of logs are in the gateway file.'),
      note(at, 'Write "telemetry"'),
      note(at, 'docs/recipes/be-alerted.md'),
      note(at, 'gw prompts create'),
      note(at, '"litellm_agent" has no counterpart.'),
      note('/litellm_settings/success_callback', 'Receivers of logs are in the gateway file.'),
    ]);
    expect(made.losses[0]?.instead).toContain('docs/how-it-works/plugins.md');
  });

  it('counts checks among the callbacks, rules in code, and guardrails in the older form', async () => {
    const made = await imported('litellm', {
      ...models,
      litellm_settings: {
        callbacks: ['hide_secrets', 'lakera_prompt_injection', 'banned_keywords'],
        post_call_rules: 'rules.mine',
        guardrails: [{ prompt_injection: { callbacks: ['lakera_prompt_injection'], default_on: true } }],
      },
    });
    expect(notes(made).toSorted()).toEqual([
      note('/litellm_settings/callbacks', 'The guardrail "banned_keywords" checks nothing now. No check', true),
      note(
        '/litellm_settings/callbacks',
        'The guardrail "hide_secrets" checks nothing now. Write its counterpart default.secrets',
        true,
      ),
      note('/litellm_settings/callbacks', 'Write its counterpart lakera.guard', true),
      note('/litellm_settings/guardrails/0', 'The guardrail "prompt_injection" checks nothing now.', true),
      note('/litellm_settings/post_call_rules', '(rules.mine)', true),
    ]);
  });
});

describe('gw import litellm for Presidio', () => {
  it('creates no guardrail from one that masks only logs', async () => {
    const made = await guarded({ mode: 'logging_only', presidio_language: 'de' });
    expect(parsed(made, 'gateway.json')).not.toHaveProperty('guardrails');
    expect(parsed(made, 'configs/a.json')).not.toHaveProperty('input_guardrails');
    expect(notes(made)).toEqual([
      note(
        '/guardrails/0/litellm_params/mode',
        'Records have no texts here, unless gateway.json sets "log": { "bodies": true }',
      ),
    ]);
    const callback = { callbacks: ['presidio'], presidio_logging_only: true };
    expect(notes(await imported('litellm', { ...models, litellm_settings: callback }))).toEqual([
      note('/litellm_settings/callbacks', '"presidio" masks what is logged'),
    ]);
  });

  it('creates a guardrail from one that also masks requests', async () => {
    const made = await guarded({ mode: ['pre_call', 'logging_only'] });
    expect(parsed(made, 'configs/a.json')).toMatchObject({ input_guardrails: ['pii'] });
    expect(notes(made)).toEqual([note('/guardrails/0/litellm_params/mode', 'masks what is logged')]);
  });

  it('reports that the language is ignored if the file names one other than English', async () => {
    expect(notes(await guarded({ presidio_language: 'en' }))).toEqual([]);
    expect(notes(await guarded({ presidio_language: 'de' }))).toEqual([
      note(
        '/guardrails/0/litellm_params/presidio_language',
        '"presidio_language" is "de", but default.pii does not depend on a language',
      ),
    ]);
  });
});

describe('gw import litellm for members that are configured differently here', () => {
  it('suggests input and output guardrails for one that checks both and that requests enable by name', async () => {
    const made = await guarded({ mode: ['pre_call', 'post_call'], default_on: false });
    expect(notes(made)).toEqual([
      note('/guardrails/0', 'Write "input_guardrails": ["pii"] and "output_guardrails": ["pii"] in the configs', true),
    ]);
  });

  it('explains how retries and costs are configured', async () => {
    const made = await imported('litellm', {
      model_list: [deployment('a', { model: 'openai/one' }, { model_info: { base_model: 'azure/gpt-4o' } })],
      router_settings: { retry_policy: { TimeoutErrorRetries: 3 } },
    });
    expect(notes(made).toSorted()).toEqual([
      note('/model_list/0/model_info/base_model', 'Costs are found by the model that answers report'),
      note('/router_settings/retry_policy', 'Write the statuses that are tried again as "on_status_codes" of "retry"'),
    ]);
  });
});

describe('gw import litellm for a masking guardrail', () => {
  const embedding = {
    model_list: [...models.model_list, deployment('vectors', { model: 'openai/text-embedding-3-small' })],
  };
  const made = (more: object): Promise<Made> => imported('litellm', { ...embedding, guardrails: [presidio(more)] });

  it('notes each embedding model, because requests whose input would be masked are rejected', async () => {
    expect(notes(await made({}))).toEqual([
      note('/model_list/1', '"vectors" creates embeddings, whose input is not changed here'),
    ]);
  });

  it('notes none if the guardrail blocks or checks only answers', async () => {
    expect(notes(await made({ pii_entities_config: { EMAIL_ADDRESS: 'BLOCK' } }))).toEqual([]);
    expect(notes(await made({ mode: 'post_call' }))).toEqual([]);
  });
});
