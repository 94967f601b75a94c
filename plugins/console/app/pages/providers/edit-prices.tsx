import { useSignal } from '@preact/signals';
import { useChange } from '../../api/change.ts';
import { get } from '../../api/client.ts';
import { type Loader, useLoaded } from '../../api/load.ts';
import { may } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { useOpenDialog } from '../../components/dialogs/use-open-dialog.ts';
import { toMoney } from '../../components/formats.ts';
import { SafeText } from '../../components/safe-text.tsx';
import { SaveRefusal } from '../../components/save-refusal.tsx';
import { Loaded } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { TextField } from '../../components/text-field.tsx';
import { texts as providerTexts } from '../../texts/providers.ts';
import {
  type IntegrationModel,
  type IntegrationModels,
  noPrices,
  otherPrices,
  type PriceFields,
  type PriceName,
  priceNames,
  priceOf,
  toPriceFields,
  wrongPrices,
} from './prices.ts';
import { savePrices } from './save-prices.ts';

const { prices: texts } = providerTexts;

/** The most models shown at once. Others are found by name. */
const shownModels = 50;

interface PriceFormProps {
  readonly path: string;
  /** The model whose prices are edited. If absent, the user enters its name. */
  readonly model: IntegrationModel | undefined;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

const PriceForm = ({ path, model, onClose, onSaved }: PriceFormProps) => {
  const slug = useSignal(model?.slug ?? '');
  const before = model === undefined ? noPrices : toPriceFields(model);
  const fields = useSignal<PriceFields>(before);
  const wrong = useSignal<readonly PriceName[]>([]);
  const isNameless = useSignal(false);
  const { isBusy, refusal, make } = useChange();
  const save = async (seen: object = before): Promise<void> => {
    wrong.value = wrongPrices(fields.value);
    isNameless.value = slug.value.trim() === '';
    if (wrong.value.length > 0 || isNameless.value || isBusy.value) return;
    await make(async () => {
      await savePrices(path, { slug: slug.value.trim(), fields: fields.value, before, seen });
      onSaved();
    });
  };
  return (
    <form
      class="form card"
      aria-label={model === undefined ? texts.add : texts.editOf(model.slug)}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {model === undefined ? (
        <TextField
          label={texts.model}
          hint={texts.modelHint}
          error={isNameless.value ? texts.nameless : undefined}
          value={slug.value}
          onInput={(text) => {
            slug.value = text;
          }}
        />
      ) : (
        <h3>
          <SafeText text={model.slug} />
        </h3>
      )}
      <div class="form-row">
        {priceNames.map((name) => (
          <TextField
            key={name}
            label={texts.names[name]}
            inputMode="decimal"
            error={wrong.value.includes(name) ? texts.wrong : undefined}
            value={fields.value[name]}
            onInput={(text) => {
              fields.value = { ...fields.value, [name]: text };
            }}
          />
        ))}
      </div>
      <p class="hint">{texts.fieldsHint}</p>
      <SaveRefusal refusal={refusal.value} onOverwrite={({ item }) => void save(item)} />
      <div class="row">
        <Button kind="primary" type="submit" isBusy={isBusy.value}>
          {texts.save}
        </Button>
        <Button onClick={onClose}>{providerTexts.cancel}</Button>
      </div>
    </form>
  );
};

const columns = (edit: (model: IntegrationModel) => void) => [
  {
    title: texts.model,
    cell: (model: IntegrationModel) => (
      <>
        <SafeText text={model.slug} />
        {otherPrices(model).length > 0 && (
          <p class="hint">
            <SafeText text={texts.others(otherPrices(model))} />
          </p>
        )}
      </>
    ),
  },
  ...priceNames.map((name) => ({
    title: texts.names[name],
    cell: (model: IntegrationModel) => {
      const price = priceOf(model, name);
      return price === undefined ? providerTexts.noPrice : toMoney(price);
    },
    isNumber: true,
  })),
  ...(may('integrations.update')
    ? [
        {
          title: providerTexts.columns.actions,
          isTitleHidden: true,
          cell: (model: IntegrationModel) => (
            <Button size="small" label={texts.editOf(model.slug)} onClick={() => edit(model)}>
              {providerTexts.edit}
            </Button>
          ),
        },
      ]
    : []),
];

const Models = ({ path, list }: { readonly path: string; readonly list: Loader<IntegrationModels> }) => {
  const search = useSignal('');
  const { now, open, close } = useOpenDialog<{ readonly model?: IntegrationModel }>();
  const wanted = search.value.trim().toLowerCase();
  return (
    <Loaded state={list.state} retry={list.reload}>
      {({ models }) => {
        const found = models.filter(({ slug }) => slug.toLowerCase().includes(wanted));
        return (
          <div class="stack">
            {models.length > shownModels && (
              <TextField
                label={providerTexts.findModel}
                value={search.value}
                onInput={(text) => {
                  search.value = text;
                }}
              />
            )}
            {models.length === 0 ? (
              <p class="muted">{texts.empty}</p>
            ) : (
              <Table
                caption={texts.caption}
                columns={columns((model) => open({ model }))}
                rows={found.slice(0, shownModels)}
                rowKey={({ slug }) => slug}
              />
            )}
            {found.length > shownModels && <p class="muted">{providerTexts.moreModels(found.length - shownModels)}</p>}
            {may('integrations.update') && now === undefined && (
              <div>
                <Button size="small" onClick={() => open({})}>
                  {texts.add}
                </Button>
              </div>
            )}
            {now !== undefined && (
              <PriceForm
                key={now.model?.slug ?? ''}
                path={path}
                model={now.model}
                onClose={close}
                onSaved={() => {
                  close();
                  list.reload();
                }}
              />
            )}
          </div>
        );
      }}
    </Loaded>
  );
};

export interface EditPricesProps {
  /** The name of the provider, and below it the id of its integration. */
  readonly name: string;
  readonly integration: string;
  readonly onClose: () => void;
}

/** A dialog with the model prices of a provider's integration, which replace the public prices when requests are charged. */
export const EditPrices = ({ name, integration, onClose }: EditPricesProps) => {
  const path = `/integrations/${encodeURIComponent(integration)}/models`;
  const list = useLoaded((signal) => get<IntegrationModels>(path, { signal }), [path]);
  return (
    <Dialog
      title={texts.title(name)}
      onClose={onClose}
      size="wide"
      actions={<Button onClick={onClose}>{providerTexts.close}</Button>}
    >
      <div class="stack">
        <p class="muted">{texts.lead}</p>
        <Models path={path} list={list} />
      </div>
    </Dialog>
  );
};
