import { type ReactNode, useEffect, useRef, useState } from "react";
import { Form, useNavigation } from "react-router";
import { kindsIn } from "#app/catalog/product.ts";
import { CUSTOMS_DETAILS, SHOWN_DETAILS } from "#app/catalog/product-fields.ts";
import { chargeInKobo, type Rate } from "#app/money/exchange-rate.ts";
import { formatKobo } from "#app/money/format.ts";
import { type UsdCents, usdCents } from "#app/money/money.ts";
import type { ProductAct } from "#app/owner/catalog/product-acts.server.ts";
import type { OwnedProduct } from "#app/owner/catalog/product-view.server.ts";
import { useDraft } from "../conflict/use-draft.browser.ts";
import { Button } from "../frame/button.tsx";
import { Field, TextField } from "../frame/field.tsx";
import { Notice, UnsavedNotice } from "../frame/notice.tsx";
import { Section } from "../frame/page.tsx";
import { Time } from "../frame/times.tsx";
import { useKinds } from "../kinds/context.ts";
import { Conflict } from "./conflict.tsx";
import { DetailFields } from "./detail-fields.tsx";
import { type Draft, FIELD_NAMES } from "./draft.ts";
import { InTheShop } from "./in-the-shop.tsx";
import { draftName } from "./kept-draft.browser.ts";
import { Pictures } from "./pictures.browser.tsx";
import { PriceField } from "./price-field.tsx";
import { Sizes } from "./sizes.tsx";
import { usePictureUploads } from "./uploads.browser.ts";

type Outcome =
  | { ok: true; intent?: string; version?: string }
  | {
      ok: false;
      intent?: string;
      problem?: string;
      problems?: Record<string, string>;
      since?: unknown[];
      isOffline?: boolean;
    };

type Props = {
  /** The stored product. Undefined for a new product. */
  product?: Pick<OwnedProduct, "id" | "sizes" | "priceCents">;
  theirs: Draft;
  /** The id of the product's last change; for a new product the form's own key. */
  version: string;
  last?: ProductAct;
  rate: Rate;
  isReadOnly: boolean;
  done?: Outcome;
  /** A message about the last action, shown until something is changed. */
  news?: string;
  /** Shown below the pictures and the stock. */
  children?: ReactNode;
};

/**
 * The form of a product: pictures and sizes at the left, texts and price at the right. On phones, texts and price come
 * first.
 */
export function Editor({ product, theirs, version, last, rate, isReadOnly, done, news, children }: Props) {
  const saved = done?.ok && done.intent === "save" ? done : undefined;
  const draft = useDraft({ theirs, version, name: draftName(product?.id), isNew: !product, saved });
  const { mine, open, set } = draft;
  const uploading = usePictureUploads((picture) =>
    set(({ images }) =>
      images.some(({ hash }) => hash === picture.hash) ? {} : { images: [...images, { ...picture, alt: "" }] },
    ),
  );
  const [agreed, setAgreed] = useState("");
  const kinds = useKinds();
  const isPending = useNavigation().formData?.get("intent") === (product ? "save" : "add");
  const problems = done && !done.ok ? (done.problems ?? {}) : {};
  const nairaOf = (cents: UsdCents) => formatKobo(chargeInKobo(cents, rate));
  const text = (name: "title" | "color", label: string, most: number, note?: string) => (
    <TextField
      label={label}
      note={note}
      problem={problems[name]}
      name={name}
      value={mine[name]}
      onChange={({ target }) => set({ [name]: target.value })}
      maxLength={most}
    />
  );
  const notices = useRef<HTMLDivElement>(null);
  const isOpen = open.length > 0;
  useEffect(() => {
    if (isOpen || (done && !done.ok)) notices.current?.scrollIntoView({ block: "center" });
  }, [done, isOpen]);
  return (
    <>
      <div ref={notices}>
        {news && !draft.isChanged && <Notice kind="done">{news}</Notice>}
        {open.length > 0 && <Conflict last={last} draft={draft} theirs={theirs} nairaOf={nairaOf} />}
        {open.length === 0 && draft.taken.length > 0 && (
          <Notice kind="info">
            <span>{last?.by ?? "Somebody"}</span> has changed the{" "}
            {draft.taken.map((name) => FIELD_NAMES[name]).join(", ")} meanwhile: that is in the form now. What you typed
            is still here.
          </Notice>
        )}
        {draft.kept?.isFound && open.length === 0 && <UnsavedNotice onDiscard={draft.throwAway} />}
        {done && !done.ok && done.problem && open.length === 0 && <Refused {...done} isChanged={draft.isChanged} />}
        {Object.keys(problems).length > 0 && <Notice kind="error">Nothing was saved. Check the marked fields.</Notice>}
      </div>
      <Form method="post" preventScrollReset onSubmit={draft.onSend}>
        <input type="hidden" name="intent" value={product ? "save" : "add"} />
        <input type="hidden" name={product ? "seen" : "key"} value={draft.seen} />
        <input
          type="hidden"
          name="images"
          value={JSON.stringify(mine.images.map(({ hash, alt, focus }) => ({ hash, alt, focus })))}
        />
        <input type="hidden" name="pieces" value={JSON.stringify(piecesOf(mine, product))} />
        {mine.sizes.map((size) => (
          <input key={size} type="hidden" name="sizes[]" value={size} />
        ))}
        {/* Inert once a new product is sent: the product's own page follows, and further input would be lost. */}
        <div inert={!product && isPending} className="lg:grid lg:grid-cols-2 lg:grid-rows-[auto_1fr] lg:gap-x-14">
          <div className="min-w-0 lg:col-start-2">
            <Section title="Facts">
              <fieldset disabled={isReadOnly} className="grid gap-4.5">
                <legend className="sr-only">Facts</legend>
                {text("title", "Title", 200)}
                {text("color", "Colour", 100)}
                <fieldset>
                  <legend className="font-semibold">Kinds</legend>
                  <div className="flex flex-wrap gap-x-5">
                    {kinds.map(({ id, name }) => (
                      <label key={id} className="tick">
                        <input
                          type="checkbox"
                          name="kinds[]"
                          value={id}
                          checked={mine.kinds.includes(id)}
                          onChange={({ target }) =>
                            set((now) => {
                              const others = now.kinds.filter((one) => one !== id);
                              const chosen = target.checked ? [...others, id] : others;
                              return { kinds: kindsIn(kinds, chosen).map((one) => one.id) };
                            })
                          }
                        />
                        {name}{" "}
                      </label>
                    ))}
                  </div>
                </fieldset>
                <PriceField
                  price={mine.price}
                  last={product && usdCents(product.priceCents)}
                  rate={rate}
                  agreed={agreed}
                  problem={problems.price}
                  onChange={(price) => set({ price })}
                  onAgree={setAgreed}
                />
                <Field label="Description" problem={problems.description}>
                  <textarea
                    name="description"
                    rows={4}
                    value={mine.description}
                    onChange={({ target }) => set({ description: target.value })}
                    maxLength={5000}
                    className="input"
                  />
                </Field>
              </fieldset>
            </Section>
          </div>
          <div className="min-w-0 lg:col-start-1 lg:row-span-2 lg:row-start-1">
            <Pictures
              images={mine.images}
              uploading={uploading}
              isReadOnly={isReadOnly}
              problem={problems.images}
              onChange={(change) => set((now) => ({ images: change(now.images) }))}
            />
            <Sizes
              id={product?.id}
              stock={product?.sizes ?? []}
              draft={mine}
              isReadOnly={isReadOnly}
              problem={Object.entries(problems).find(([name]) => /^(sizes|pieces)/.test(name))?.[1]}
              onChange={set}
            />
          </div>
          <div className="min-w-0 lg:col-start-2">
            <InTheShop draft={mine} problem={problems.at} isReadOnly={isReadOnly} onChange={set} />{" "}
            <DetailFields title="Details" names={SHOWN_DETAILS} {...{ mine, problems, isReadOnly, onChange: set }} />{" "}
            <DetailFields title="Customs" names={CUSTOMS_DETAILS} {...{ mine, problems, isReadOnly, onChange: set }}>
              For the customs form of a parcel abroad. Customs of some countries stop parcels without these.
            </DetailFields>
          </div>
        </div>
        {!isReadOnly && (
          <SaveBar
            isNew={!product}
            open={open.length}
            awaited={uploading.awaited}
            isChanged={draft.isChanged}
            isPending={isPending}
          />
        )}
      </Form>
      {draft.kept && (
        <p className="mt-5 text-[0.8125rem] text-muted">
          Kept on this device at <Time at={draft.kept.at} />.
        </p>
      )}
      {children}
    </>
  );
}

/** A refusal because of other members' changes, shown until the form can be sent again. */
function Refused({
  intent,
  problem,
  since,
  isOffline,
  isChanged,
}: {
  intent?: string;
  problem?: string;
  since?: unknown[];
  isOffline?: boolean;
  isChanged: boolean;
}) {
  if (since && intent === "save")
    return isChanged ? <Notice kind="info">Yours isn’t saved yet. Press Save again.</Notice> : null;
  return <Notice kind={isOffline ? "offline" : "error"}>{problem}</Notice>;
}

type BarProps = {
  isNew: boolean;
  /** The number of fields for which a choice is open. */
  open: number;
  /** The number of pictures still being uploaded. Saved now, the product would lack these. */
  awaited: number;
  isChanged: boolean;
  isPending: boolean;
};

/**
 * The bar with the save button: fixed at the bottom on phones; in wide windows it sticks to the bottom while the form
 * is longer than the window.
 */
function SaveBar({ isNew, open, awaited, isChanged, isPending }: BarProps) {
  const words =
    open > 0
      ? `${open} ${open === 1 ? "choice" : "choices"} open`
      : awaited > 0
        ? `${awaited === 1 ? "1 picture has" : `${awaited} pictures have`} not arrived yet`
        : isChanged
          ? "Not saved yet"
          : "";
  return (
    <div className="z-30 flex items-center justify-end gap-4 bg-paper py-2 max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:border-t max-lg:border-hairline max-lg:px-4 lg:sticky lg:bottom-0 lg:mt-6 lg:border-t lg:border-hairline">
      <span role="status" className="text-[0.8125rem] text-muted empty:hidden">
        {words}
      </span>
      <Button
        isPending={isPending}
        isDisabled={open > 0 || awaited > 0}
        className="min-h-12 max-lg:flex-1 lg:min-h-10 lg:min-w-40"
      >
        {isNew ? "Add the product" : "Save"}
      </Button>
    </div>
  );
}

/** The initial stock of sizes that the product did not have before. */
function piecesOf({ sizes, pieces }: Draft, product?: Props["product"]): Record<string, string> {
  const isNew = (size: string) => !product?.sizes.some((one) => one.size === size);
  return Object.fromEntries(sizes.filter(isNew).map((size) => [size, pieces[size] || "0"]));
}
