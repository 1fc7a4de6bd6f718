import { Fragment, type ReactNode, useContext } from "react";
import { Form, useNavigation } from "react-router";
import type { TypedOffer } from "#app/owner/offers/typed-offer.server.ts";
import { Button } from "../frame/button.tsx";
import { Field, Ticks } from "../frame/field.tsx";
import { Section } from "../frame/page.tsx";
import { ShopZone } from "../frame/times.tsx";
import { useKinds } from "../kinds/context.ts";

type TextName = Exclude<
  keyof TypedOffer,
  "starts" | "gift" | "kinds" | "collections" | "onSaleToo" | "firstOrderOnly" | "oncePerShopper"
>;
type TickName = "onSaleToo" | "firstOrderOnly" | "oncePerShopper";
type Props = {
  typed?: TypedOffer;
  problems: Record<string, string>;
  /** All collections, shown or hidden. */
  collections: { id: string; name: string }[];
  /** Undefined for a new offer. `isLimited`: whether the number of its uses is limited. */
  stored?: { hasBegun: boolean; isLimited: boolean };
};

/**
 * The form of an offer. It works without JavaScript, because each kind of start and of gift shows its own fields. The
 * response appears above the form, where the browser scrolls after the submit.
 */
export function OfferForm({ typed, problems, collections, stored }: Props) {
  const kinds = useKinds();
  const zone = useContext(ShopZone);
  const isPending = useNavigation().formData?.get("intent") === "save";
  // A deleted collection stays ticked, so that saving is refused. Without any tick, the offer would be for everything.
  const gone = typed?.collections.filter((id) => !collections.some((one) => one.id === id)) ?? [];
  const choices = [...collections, ...gone.map((id) => ({ id, name: id }))];
  const field = (name: TextName, label: string, note?: string, more?: { placeholder?: string; type?: string }) => (
    <Field label={label} note={note} problem={problems[name]}>
      <input name={name} defaultValue={typed?.[name]} autoComplete="off" className="input tabular-nums" {...more} />
    </Field>
  );
  const list = (name: TextName, label: string, note: string) => (
    <Field label={label} note={note} problem={problems[name]}>
      <textarea name={name} rows={2} defaultValue={typed?.[name]} className="input" />
    </Field>
  );
  const choice = (name: "starts" | "gift", value: string, label: string, isFirst = false, own?: ReactNode) => (
    <div className="grid gap-2">
      <label className="tick">
        <input type="radio" name={name} value={value} defaultChecked={typed ? typed[name] === value : isFirst} />
        {label}
      </label>
      {own && <div className="grid gap-3 pl-8 sm:grid-cols-3">{own}</div>}
    </div>
  );
  const tick = (name: TickName, label: string) => (
    <label className="tick">
      <input type="checkbox" name={name} defaultChecked={typed?.[name] === "on"} />
      {label}
    </label>
  );
  return (
    <Form method="post" className="grid gap-8">
      {stored && <input type="hidden" name="version" value={typed?.version} />}
      {stored && <input type="hidden" name="starts" value={typed?.starts} />}
      <Section title="What it’s called">
        {field("name", "Name", "shoppers read it in their cart", { placeholder: "Two tees: 10% off both" })}
      </Section>
      <Section title="What it gives">
        <fieldset className="grid gap-4">
          <legend className="sr-only">What it gives</legend>
          {choice(
            "gift",
            "percent",
            "Percent off",
            true,
            field("percent", "Percent", undefined, { placeholder: "10" }),
          )}
          {choice("gift", "sum", "A sum off", false, field("off", "Sum", undefined, { placeholder: "₦5,000 or $10" }))}
          {choice(
            "gift",
            "set",
            "Items with others",
            false,
            <>
              {field("buy", "Buy", undefined, { placeholder: "2" })}
              {field("get", "And get", undefined, { placeholder: "1" })}
              {field("less", "Percent off those", "empty: free")}
            </>,
          )}
          {choice("gift", "delivery", "Free delivery")}
        </fieldset>
      </Section>
      {!stored && (
        <Section title="How it starts">
          <fieldset className="grid gap-4">
            <legend className="sr-only">How it starts</legend>
            {choice("starts", "itself", "By itself", true)}
            {choice(
              "starts",
              "code",
              "With a code",
              false,
              field("code", "Code", undefined, { placeholder: "ONEMIND" }),
            )}
            {choice("starts", "single", "With codes for one use each, which you make next")}
          </fieldset>
        </Section>
      )}
      <Section title="What counts">
        <div className="grid gap-4.5">
          <fieldset className="flex flex-wrap gap-x-6 gap-y-2">
            <legend className="mb-1.5 font-semibold">
              Kinds{" "}
              <span className="font-normal text-muted">
                {choices.length > 0
                  ? "(none, and nothing below: everything)"
                  : "(none, and no products below: everything)"}
              </span>
            </legend>{" "}
            {kinds.map(({ id, name }) => (
              <Fragment key={id}>
                <label className="tick">
                  <input type="checkbox" name="kinds[]" value={id} defaultChecked={typed?.kinds.includes(id)} />
                  {name}
                </label>{" "}
              </Fragment>
            ))}
          </fieldset>
          {list("products", "And these products", "ids or addresses, one a line")}
          {choices.length > 0 && (
            <Ticks
              name="collections"
              title="And these collections"
              choices={choices.map(({ id, name }) => [id, name])}
              chosen={typed?.collections.join("\n")}
              problem={problems.collections}
            />
          )}
          {tick("onSaleToo", "Items on sale, too")}
          <div className="grid gap-4 sm:grid-cols-2">
            {field("fromPieces", "From how many items", "optional")}
            {field("fromSum", "From which sum", "optional", { placeholder: "₦120,000 or $75" })}
          </div>
        </div>
      </Section>
      <Section title="When and for whom">
        <div className="grid gap-4.5">
          <div className="grid gap-4 sm:grid-cols-2">
            {!stored?.hasBegun && field("from", "From", `${zone}; empty: now`, { type: "datetime-local" })}
            {field("until", "Until", `${zone}; empty: no end`, { type: "datetime-local" })}
          </div>
          {(!stored || stored.isLimited) && field("mostUses", "Uses in all", stored ? undefined : "optional")}
          {tick("firstOrderOnly", "On a customer’s first order only")}{" "}
          {tick("oncePerShopper", "Once for each customer")}
          {list("customers", "Only these customers", "email addresses; empty: everybody")}
          {list("countries", "Only orders to these countries", "names, with commas; empty: all")}
          {list("endedText", "What its code says once it’s over", "empty: that it doesn’t work")}
        </div>
      </Section>
      <div>
        <Button name="intent" value="save" isPending={isPending}>
          Show what it does
        </Button>
      </div>
    </Form>
  );
}
