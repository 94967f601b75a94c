import { modelMembers } from '../../../plugins/sdk/models/body-models.ts';
import { modelHeaders } from '../../../plugins/sdk/models/header-models.ts';
import { modelPathRules } from '../../../plugins/sdk/models/path-models.ts';
import { modelParameters } from '../../../plugins/sdk/models/query-models.ts';

/** A request that is passed through. */
export interface PassedRequest {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | FormData;
}

/** A way in which a request names its model. */
export interface ModelWay {
  readonly name: string;
  readonly ask: (model: string) => PassedRequest;
  /** The model as it appears in lists and limits. */
  readonly toModel: (model: string) => string;
}

const json = { 'content-type': 'application/json' };

const way = (name: string, ask: ModelWay['ask'], toModel: ModelWay['toModel'] = (model) => model): ModelWay => ({
  ...{ name, ask, toModel },
});

const toForm = (name: string, value: string): FormData => {
  const form = new FormData();
  form.append('file', new Blob(['sound']), 'sound.wav');
  form.append(name, value);
  return form;
};

/** All ways in the tables of `plugins/sdk/models/`. */
export const modelWays: readonly ModelWay[] = [
  ...modelPathRules.map(({ before, toModel = (name) => name }) =>
    way(
      `path ${before}`,
      (model) => ({ path: `/x/${before}/${model}/invoke`, headers: json, body: '{}' }),
      (model) => toModel(model, ['x']),
    ),
  ),
  ...[...modelParameters].map((name) =>
    way(`query ${name}`, (model) => ({ path: `/x/y?${name}=${model}`, headers: json, body: '{}' })),
  ),
  ...[...modelHeaders].map((name) =>
    way(`header ${name}`, (model) => ({ path: '/x/y', headers: { ...json, [name]: model }, body: '{}' })),
  ),
  ...[...modelMembers].map((name) =>
    way(`body ${name}`, (model) => ({ path: '/x/y', headers: json, body: JSON.stringify({ [name]: model }) })),
  ),
  ...[...modelMembers].map((name) => way(`form ${name}`, (model) => ({ path: '/x/y', body: toForm(name, model) }))),
  way('a session in a form', (model) => ({ path: '/x/y', body: toForm('session', JSON.stringify({ model })) })),
  way('a nested member', (model) => ({
    ...{ path: '/realtime/sessions', headers: json },
    body: JSON.stringify({ session: { model } }),
  })),
  way('lines', (model) => ({
    ...{ path: '/x/y', headers: { 'content-type': 'application/x-ndjson' } },
    body: `${JSON.stringify({ model })}\n${JSON.stringify({ model })}\n`,
  })),
];
